package dev.weir.containers;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.awaitility.Awaitility.await;

import dev.weir.fixture.FreePorts;
import dev.weir.fixture.Jdk;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.HttpURLConnection;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Base64;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BooleanSupplier;
import org.awaitility.core.ConditionTimeoutException;

/** A container in a process of its own, with one application. */
final class RunningContainer implements AutoCloseable {

  private static final Duration START = Duration.ofSeconds(90);
  private static final Duration PAUSE = Duration.ofMillis(200);
  private static final int READ_MILLIS = 10_000;

  /** With a password that is the name. */
  private static final String USER =
      "Basic " + Base64.getEncoder().encodeToString("jolokia:jolokia".getBytes(US_ASCII));

  private static final int STOP_SECONDS = 30;

  /**
   * It serves some hundred requests: what C2 and a concurrent collector do costs more than that.
   */
  private static final String SHORT_LIVED = "-XX:TieredStopAtLevel=1 -XX:+UseSerialGC";

  private final Process process;
  private final Path log;
  private final URI base;

  private RunningContainer(Process process, Path log, URI base) {
    this.process = process;
    this.log = log;
    this.base = base;
  }

  /**
   * @param directory for the application and the container
   */
  static RunningContainer start(Container container, Jdk jdk, War war, Path directory)
      throws IOException {
    Files.createDirectories(directory);
    return start(container, jdk, war.writeTo(directory.resolve("shop.war")), directory);
  }

  static RunningContainer start(Container container, Jdk jdk, Path war, Path directory)
      throws IOException {
    Path place = Files.createDirectories(directory.resolve("container"));
    int port = FreePorts.next();
    List<String> command = container.prepare(war, place, port, jdk);
    Path log = place.resolve("container.log");
    ProcessBuilder builder =
        new ProcessBuilder(command)
            .directory(place.toFile())
            .redirectErrorStream(true)
            .redirectOutput(log.toFile());
    builder.environment().put("JAVA_TOOL_OPTIONS", SHORT_LIVED);
    Process process = builder.start();
    URI base = URI.create("http://127.0.0.1:" + port + container.contextPath());
    return new RunningContainer(process, log, base);
  }

  /** Returns when the application answers this path with 200. */
  RunningContainer untilItAnswers(String path) {
    until(() -> status(path) == HttpURLConnection.HTTP_OK, path + " is answered");
    return this;
  }

  /** Returns when it has logged this. */
  RunningContainer untilItSays(String text) {
    until(() -> log().contains(text), "it says " + text);
    return this;
  }

  /** The first answer to this path; 0 when it ends without one. */
  int firstStatus(String path) {
    AtomicInteger status = new AtomicInteger();
    holdsBeforeItEnds(
        () -> {
          status.set(status(path));
          return status.get() != 0;
        },
        path + " is answered");
    return status.get();
  }

  private void until(BooleanSupplier condition, String what) {
    if (!holdsBeforeItEnds(condition, what)) {
      throw failure(what);
    }
  }

  private boolean holdsBeforeItEnds(BooleanSupplier condition, String what) {
    try {
      return await()
          .atMost(START)
          .pollInterval(PAUSE)
          .until(() -> result(condition), Optional::isPresent)
          .orElseThrow();
    } catch (ConditionTimeoutException late) {
      throw failure(what);
    }
  }

  /** Nothing as long as the condition may still come to hold. */
  private Optional<Boolean> result(BooleanSupplier condition) {
    boolean isAlive = process.isAlive(); // what it did last counts
    if (condition.getAsBoolean()) {
      return Optional.of(true);
    }
    return isAlive ? Optional.empty() : Optional.of(false);
  }

  private IllegalStateException failure(String what) {
    String reported = log();
    close();
    return new IllegalStateException("not so: " + what + "\n" + reported);
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

  /** Stops it, and returns what it has said until then. */
  String stop() {
    close();
    return log();
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
