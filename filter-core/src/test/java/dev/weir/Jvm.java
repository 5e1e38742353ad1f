package dev.weir;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/** Processes of their own, on the class path of the tests. */
public final class Jvm {

  private Jvm() {}

  /** Runs a main method; what it says on its standard error is said on ours. */
  public static Process start(Class<?> main, List<String> arguments) throws IOException {
    return startOn(Path.of(System.getProperty("java.home")), main, arguments);
  }

  /** The same on the JDK at home here. */
  public static Process startOn(Path javaHome, Class<?> main, List<String> arguments)
      throws IOException {
    String java = javaHome.resolve("bin").resolve("java").toString();
    List<String> itself =
        List.of(java, "-Xmx128m", "-cp", System.getProperty("java.class.path"), main.getName());
    return new ProcessBuilder(Stream.concat(itself.stream(), arguments.stream()).toList())
        .redirectError(ProcessBuilder.Redirect.INHERIT)
        .start();
  }
}
