package dev.weir.redis;

import dev.weir.fixture.FreePorts;
import dev.weir.fixture.TemporaryFiles;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import org.awaitility.Awaitility;
import redis.clients.jedis.Jedis;

/**
 * A real Redis server process on a free port, which can be killed, frozen and started again. It
 * dies with the test's process at the latest.
 */
public final class RedisServer implements AutoCloseable {

  private static final Path MEMORY = Path.of("/dev/shm");
  private static final String PREFIX = "weir-redis";
  private static final Map<RedisVersion, RedisServer> SHARED = new ConcurrentHashMap<>();

  private static final Pattern READY =
      Pattern.compile("Ready to accept connections|Sentinel ID is");
  private static final String PORT_TAKEN = "Address already in use";
  private static final int PORTS_TRIED = 5;

  private final RedisVersion version;
  private final int port;
  private final List<String> arguments;
  private final Path directory;
  private final Thread hook = new Thread(this::stop);
  private Process process;

  private RedisServer(RedisVersion version, int port, List<String> arguments) throws IOException {
    this.version = version;
    this.port = port;
    this.arguments = arguments;
    this.directory = inMemory();
    Runtime.getRuntime().addShutdownHook(hook);
    this.process = launch();
  }

  /**
   * Returns a directory in memory, where there is such a file system. A server of a cluster syncs
   * the file of its slots with each change, and on a busy disk it stands still for that time.
   */
  private static Path inMemory() throws IOException {
    return Files.isWritable(MEMORY)
        ? Files.createTempDirectory(MEMORY, PREFIX)
        : Files.createTempDirectory(PREFIX);
  }

  /** Returns one server for each version, for tests with keys of their own; it is not closed. */
  public static RedisServer shared(RedisVersion version) {
    return SHARED.computeIfAbsent(version, RedisServer::start);
  }

  /**
   * Starts a server without persistence, with these further arguments. Another process may take the
   * port in between, which another port avoids.
   */
  public static RedisServer start(RedisVersion version, String... arguments) {
    for (int i = 1; ; i++) {
      try {
        return startOn(version, FreePorts.next(), arguments);
      } catch (IllegalStateException failed) {
        if (i == PORTS_TRIED || !String.valueOf(failed.getMessage()).contains(PORT_TAKEN)) {
          throw failed;
        }
      }
    }
  }

  /** Starts the same on this port. */
  public static RedisServer startOn(RedisVersion version, int port, String... arguments) {
    try {
      RedisServer server = new RedisServer(version, port, Arrays.asList(arguments));
      try {
        server.awaitListening();
        return server;
      } catch (RuntimeException failed) {
        server.close();
        throw failed;
      }
    } catch (IOException e) {
      throw new IllegalStateException("cannot start " + version, e);
    }
  }

  public RedisVersion version() {
    return version;
  }

  public int port() {
    return port;
  }

  /** Returns the URI for a store. */
  public String uri() {
    return "redis://127.0.0.1:" + port;
  }

  /** Returns a client to inspect the server, which the caller must close. */
  public Jedis client() {
    return new Jedis("127.0.0.1", port);
  }

  /** Returns how often commands with this prefix were run. */
  public long calls(String command) {
    try (Jedis redis = client()) {
      return redis
          .info("commandstats")
          .lines()
          .filter(line -> line.startsWith("cmdstat_" + command))
          .mapToLong(line -> Long.parseLong(line.replaceFirst(".*?calls=(\\d+).*", "$1")))
          .sum();
    }
  }

  /** Kills it as {@code kill -9} does. */
  public void kill() {
    process.destroyForcibly();
    try {
      process.waitFor(5, TimeUnit.SECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /** Starts it again on its port, after {@link #kill}. Its data are gone. */
  public void restart() {
    try {
      process = launch();
    } catch (IOException e) {
      throw new IllegalStateException("cannot start " + version, e);
    }
    awaitListening();
  }

  /** Suspends it, while its connections stay. */
  public void freeze() {
    signal("STOP");
  }

  /** Resumes it, after {@link #freeze}. */
  public void thaw() {
    signal("CONT");
  }

  private void stop() {
    kill();
    TemporaryFiles.delete(directory);
  }

  @Override
  public void close() {
    stop();
    if (!Thread.currentThread().equals(hook)) {
      Runtime.getRuntime().removeShutdownHook(hook);
    }
  }

  private Process launch() throws IOException {
    List<String> command = new ArrayList<>(List.of(version.executable().toString()));
    if (arguments.isEmpty() || arguments.get(0).startsWith("--")) {
      command.addAll(
          List.of("--port", Integer.toString(port), "--save", "", "--bind", "127.0.0.1"));
    }
    command.addAll(arguments);
    return new ProcessBuilder(command)
        .directory(directory.toFile())
        .redirectErrorStream(true)
        .redirectOutput(directory.resolve("log").toFile())
        .start();
  }

  private void awaitListening() {
    Awaitility.await()
        .atMost(Duration.ofSeconds(20))
        .pollInterval(Duration.ofMillis(5))
        .until(this::isListening);
  }

  /** A foreign server at its port would reply in its place, so its own log has to say it, too. */
  private boolean isListening() {
    String log = log();
    if (!process.isAlive()) {
      throw new IllegalStateException(version + " at port " + port + " has ended: " + log);
    }
    try (Socket socket = new Socket()) {
      socket.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), port), 200);
      return READY.matcher(log).find();
    } catch (IOException notYet) {
      return false;
    }
  }

  private String log() {
    try {
      return Files.readString(directory.resolve("log"));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private void signal(String signal) {
    try {
      Process kill = new ProcessBuilder("kill", "-" + signal, Long.toString(process.pid())).start();
      if (kill.waitFor() != 0) {
        throw new IllegalStateException("kill -" + signal + " failed");
      }
    } catch (IOException e) {
      throw new IllegalStateException("cannot signal", e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
