package dev.weir.containers;

import static java.nio.charset.StandardCharsets.US_ASCII;

import dev.weir.Jdk;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.HttpURLConnection;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Base64;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;

/** A container in a process of its own, with one application at {@code /shop}. */
final class RunningContainer implements AutoCloseable {

  private static final long START_NANOS = TimeUnit.SECONDS.toNanos(90);
  private static final int PAUSE_MILLIS = 200;
  private static final int READ_MILLIS = 10_000;

  /** With a password that is the name. */
  private static final String USER =
      "Basic " + Base64.getEncoder().encodeToString("jolokia:jolokia".getBytes(US_ASCII));

  private static final int STOP_SECONDS = 30;

  private final Process process;
  private final Path log;
  private final URI base;

  private RunningContainer(Process process, Path log, URI base) {
    this.process = process;
    this.log = log;
    this.base = base;
  }

  static RunningContainer start(Container container, Jdk jdk, Path war, Path place)
      throws IOException {
    int port = freePort();
    List<String> command = container.prepare(war, place, port, jdk);
    Path log = place.resolve("container.log");
    Process process =
        new ProcessBuilder(command)
            .directory(place.toFile())
            .redirectErrorStream(true)
            .redirectOutput(log.toFile())
            .start();
    return new RunningContainer(process, log, URI.create("http://127.0.0.1:" + port + "/shop"));
  }

  private static int freePort() throws IOException {
    try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      return socket.getLocalPort();
    }
  }

  /** Returns when the application answers this path with 200. */
  RunningContainer untilItAnswers(String path) throws InterruptedException {
    until(() -> status(path) == HttpURLConnection.HTTP_OK, path + " is answered");
    return this;
  }

  /** Returns when it has logged this. */
  RunningContainer untilItSays(String text) throws InterruptedException {
    until(() -> log().contains(text), "it says " + text);
    return this;
  }

  private void until(BooleanSupplier condition, String what) throws InterruptedException {
    long end = System.nanoTime() + START_NANOS;
    while (!condition.getAsBoolean()) {
      if (System.nanoTime() - end > 0 || (!process.isAlive() && !condition.getAsBoolean())) {
        String said = log();
        close();
        throw new IllegalStateException("not so: " + what + "\n" + said);
      }
      TimeUnit.MILLISECONDS.sleep(PAUSE_MILLIS);
    }
  }

  /** Of an answer to this path in the application; 0 when there is none. */
  int status(String path) {
    return status(URI.create(base + path));
  }

  int status(URI target) {
    try {
      HttpURLConnection connection = (HttpURLConnection) target.toURL().openConnection();
      connection.setInstanceFollowRedirects(false);
      connection.setRequestProperty("Authorization", USER);
      connection.setReadTimeout(READ_MILLIS);
      return connection.getResponseCode();
    } catch (IOException none) {
      return 0;
    }
  }

  URI base() {
    return base;
  }

  /** What it has said so far. */
  String log() {
    try {
      return Files.readString(log);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Override
  public void close() {
    process.destroy();
    try {
      if (!process.waitFor(STOP_SECONDS, TimeUnit.SECONDS)) {
        process.destroyForcibly().waitFor();
      }
    } catch (InterruptedException e) {
      process.destroyForcibly();
      Thread.currentThread().interrupt();
    }
  }
}
