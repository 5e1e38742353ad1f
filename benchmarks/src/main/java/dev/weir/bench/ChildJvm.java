package dev.weir.bench;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.OutputStreamWriter;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/**
 * One of our main classes in a process of its own: a line goes in, a line comes out. Its input ends
 * when this process does, so that it can end too.
 */
public final class ChildJvm implements AutoCloseable {

  private static final String LOGGING = "java.util.logging.config.file";

  private final Process process;
  private final Writer orders;
  private final BufferedReader answers;
  private final Thread hook;

  private ChildJvm(Process process) {
    this.process = process;
    orders = new OutputStreamWriter(process.getOutputStream(), StandardCharsets.UTF_8);
    answers =
        new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8));
    hook = new Thread(process::destroyForcibly);
    Runtime.getRuntime().addShutdownHook(hook);
  }

  /** Starts it on the JDK that this process runs on. */
  public static ChildJvm start(Class<?> main, List<String> options, Object... arguments)
      throws IOException {
    return startOn(Path.of(System.getProperty("java.home")), main, options, arguments);
  }

  /** Starts it on the JDK in this directory. */
  public static ChildJvm startOn(
      Path javaHome, Class<?> main, List<String> options, Object... arguments) throws IOException {
    List<String> command = new ArrayList<>();
    command.add(javaHome.resolve("bin").resolve("java").toString());
    command.addAll(options);
    Collections.addAll(
        command,
        "-D" + LOGGING + "=" + System.getProperty(LOGGING, ""),
        "-cp",
        System.getProperty("java.class.path"),
        main.getName());
    for (Object argument : arguments) {
      command.add(argument.toString());
    }
    return new ChildJvm(
        new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.INHERIT).start());
  }

  /** Sends it a line and waits for its answer. */
  public String request(String order) throws IOException {
    orders.write(order + "\n");
    orders.flush();
    return answer();
  }

  /**
   * Waits for the next line of its output.
   *
   * @throws IOException when it has ended
   */
  public String answer() throws IOException {
    String answer = answers.readLine();
    if (answer == null) {
      throw new IOException("the process has ended: " + process.info().commandLine().orElse("?"));
    }
    return answer;
  }

  @Override
  public void close() {
    process.destroyForcibly().onExit().join();
    Runtime.getRuntime().removeShutdownHook(hook);
  }
}
