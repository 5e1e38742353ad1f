package dev.weir.bench.http;

import dev.weir.bench.http.Driver.Outcome;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.OutputStreamWriter;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;

/**
 * The driver in a process of its own: its garbage is not collected on the server's time, and what
 * it calls does not change how the server's code is compiled.
 */
final class DriverProcess implements AutoCloseable {

  private final Process process;
  private final Writer orders;
  private final BufferedReader answers;
  private final Thread hook;

  private DriverProcess(Process process) {
    this.process = process;
    orders = new OutputStreamWriter(process.getOutputStream(), StandardCharsets.UTF_8);
    answers =
        new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8));
    hook = new Thread(process::destroyForcibly);
    Runtime.getRuntime().addShutdownHook(hook);
  }

  static DriverProcess start() throws IOException {
    return new DriverProcess(
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xms256m",
                "-Xmx256m",
                "-XX:+UseSerialGC",
                "-cp",
                System.getProperty("java.class.path"),
                DriverMain.class.getName())
            .redirectError(ProcessBuilder.Redirect.INHERIT)
            .start());
  }

  Outcome run(Driver driver) throws IOException {
    orders.write(DriverMain.text(driver) + "\n");
    orders.flush();
    String answer = answers.readLine();
    if (answer == null) {
      throw new IOException("the driver has ended");
    }
    return DriverMain.outcome(answer);
  }

  @Override
  public void close() {
    process.destroyForcibly().onExit().join();
    Runtime.getRuntime().removeShutdownHook(hook);
  }
}
