package dev.weir.demo.server;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * A redis-server that the demo starts on a free port of the loopback interface. It keeps nothing on
 * disk. It keeps its port over kill and start. Thread-safe.
 */
final class EmbeddedRedis implements AutoCloseable {

  /** The state of the process. */
  enum State {
    RUNNING,
    FROZEN,
    STOPPED
  }

  private static final long PATIENCE_SECONDS = 10;

  private final RedisBinary binary;
  private final Path directory;
  private final int port;

  private @Nullable Process process;
  private @Nullable OrphanWatch watch;
  private boolean frozen;

  EmbeddedRedis(RedisBinary binary, Path directory) {
    this.binary = binary;
    this.directory = directory;
    this.port = freePort();
  }

  String uri() {
    return "redis://127.0.0.1:" + port;
  }

  RedisBinary binary() {
    return binary;
  }

  synchronized State state() {
    if (process == null || !process.isAlive()) {
      return State.STOPPED;
    }
    return frozen ? State.FROZEN : State.RUNNING;
  }

  /** Starts it and returns when it answers. Does nothing unless it is stopped. */
  synchronized void start() throws IOException {
    if (state() != State.STOPPED) {
      return;
    }
    Path log = directory.resolve("redis.log");
    Process started =
        new ProcessBuilder(
                binary.command(),
                "--port",
                String.valueOf(port),
                "--bind",
                "127.0.0.1",
                "--save",
                "",
                "--appendonly",
                "no",
                "--dir",
                directory.toString())
            .redirectErrorStream(true)
            .redirectOutput(log.toFile())
            .start();
    process = started;
    watch = OrphanWatch.over(started);
    frozen = false;
    if (!RedisPing.replies(port, started, TimeUnit.SECONDS.toNanos(PATIENCE_SECONDS))) {
      kill();
      throw new IOException("Redis does not start: " + Files.readString(log).strip());
    }
  }

  /** Suspends it: connections stay open, and it answers nothing. */
  synchronized void freeze() throws IOException {
    signal("STOP");
    frozen = true;
  }

  /** Resumes it after {@link #freeze}. */
  synchronized void resume() throws IOException {
    signal("CONT");
    frozen = false;
  }

  /** Kills it at once, as {@code kill -9} does. */
  synchronized void kill() {
    if (process == null) {
      return;
    }
    process.destroyForcibly().onExit().join();
    if (watch != null) {
      watch.dismiss();
    }
    process = null;
    watch = null;
  }

  @Override
  public void close() {
    kill();
  }

  private void signal(String name) throws IOException {
    if (process == null || !process.isAlive()) {
      throw new IllegalStateException("Redis: stopped (expected: running)");
    }
    Process kill =
        new ProcessBuilder("sh", "-c", "kill -" + name + " " + process.pid())
            .redirectErrorStream(true)
            .redirectOutput(ProcessBuilder.Redirect.DISCARD)
            .start();
    if (kill.onExit().join().exitValue() != 0) {
      throw new IOException("signal " + name + ": not delivered to Redis");
    }
  }

  /**
   * Returns a port at which nothing listens. It is below those that a system gives to outgoing
   * connections: one of these could take it while Redis is killed.
   */
  private static int freePort() {
    while (true) {
      int port = ThreadLocalRandom.current().nextInt(11_000, 32_000);
      try (ServerSocket socket = new ServerSocket(port, 1, InetAddress.getLoopbackAddress())) {
        return socket.getLocalPort();
      } catch (IOException taken) {
        // try another one
      }
    }
  }
}
