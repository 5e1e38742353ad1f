package dev.weir.demo.server;

import java.io.IOException;
import java.io.OutputStream;
import java.lang.System.Logger.Level;
import org.jspecify.annotations.Nullable;

/**
 * A watch that ends a child process when this JVM dies without being able to, as by {@code kill
 * -9}.
 *
 * <p>A shell waits on a pipe from this JVM. When the JVM dies for any reason, the operating system
 * closes the pipe. The shell then reads the end of the pipe and kills the child. A line on the pipe
 * dismisses the shell instead. So it never kills another process that has received the child's
 * number.
 *
 * <p>Without a shell there is no watch, and the child outlives a killed JVM.
 */
final class OrphanWatch {

  private static final String SCRIPT = "trap '' HUP INT TERM; read -r line || kill -KILL \"$0\"";

  private final Process shell;

  private OrphanWatch(Process shell) {
    this.shell = shell;
  }

  static @Nullable OrphanWatch over(Process child) {
    try {
      return new OrphanWatch(
          new ProcessBuilder("sh", "-c", SCRIPT, String.valueOf(child.pid()))
              .redirectOutput(ProcessBuilder.Redirect.DISCARD)
              .redirectError(ProcessBuilder.Redirect.DISCARD)
              .start());
    } catch (IOException e) {
      System.getLogger(OrphanWatch.class.getName())
          .log(Level.DEBUG, "no shell: Redis outlives a killed demo", e);
      return null;
    }
  }

  /** Ends the watch and leaves the child alone. */
  void dismiss() {
    try (OutputStream pipe = shell.getOutputStream()) {
      pipe.write('\n');
    } catch (IOException e) {
      // the shell has already gone, as intended
      shell.destroyForcibly();
    }
    shell.onExit().join();
  }
}
