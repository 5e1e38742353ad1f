package dev.weir.redis;

import dev.weir.fixture.FreePorts;
import dev.weir.fixture.TemporaryFiles;
import java.io.File;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.awaitility.Awaitility;

/**
 * The proxy twemproxy in front of several servers. It sends each call to the server of its first
 * key, and closes a connection on a command that it does not know.
 */
final class Nutcracker implements AutoCloseable {

  private static final Optional<Path> EXECUTABLE = find();

  private final List<RedisServer> servers;
  private final Path directory;
  private final Process process;
  private final int port;

  /**
   * @param hasTags whether the tag of a key decides, and not the whole key
   */
  Nutcracker(RedisVersion version, int servers, boolean hasTags) throws IOException {
    this.servers = IntStream.range(0, servers).mapToObj(i -> RedisServer.start(version)).toList();
    port = FreePorts.next();
    directory = Files.createTempDirectory("weir-nutcracker");
    List<String> lines =
        new ArrayList<>(
            List.of(
                "proxied:",
                "  listen: 127.0.0.1:" + port,
                "  hash: fnv1a_64",
                "  distribution: ketama",
                "  redis: true",
                "  timeout: 5000",
                hasTags ? "  hash_tag: \"{}\"" : "  preconnect: true",
                "  servers:"));
    this.servers.forEach(server -> lines.add("   - 127.0.0.1:" + server.port() + ":1"));
    Path file = Files.write(directory.resolve("nutcracker.yml"), lines);
    process =
        new ProcessBuilder(
                EXECUTABLE.orElseThrow().toString(),
                "-c",
                file.toString(),
                "-s",
                Integer.toString(FreePorts.next()),
                "-a",
                "127.0.0.1")
            .redirectErrorStream(true)
            .redirectOutput(directory.resolve("log").toFile())
            .start();
    Awaitility.await().until(this::isListening);
  }

  /** Returns whether it is installed, and says so where it is not. */
  @SuppressWarnings("SystemOut") // the build says what it has not tested
  static boolean isInstalled() {
    if (EXECUTABLE.isEmpty()) {
      System.out.println("Behind twemproxy: not run, because nutcracker is not installed");
    }
    return EXECUTABLE.isPresent();
  }

  String uri() {
    return "redis://127.0.0.1:" + port;
  }

  List<RedisServer> servers() {
    return servers;
  }

  @Override
  public void close() {
    process.destroyForcibly();
    servers.forEach(RedisServer::close);
    TemporaryFiles.delete(directory);
  }

  private boolean isListening() {
    try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
      return socket.isConnected();
    } catch (IOException notYet) {
      return false;
    }
  }

  private static Optional<Path> find() {
    return Stream.concat(
            Stream.of(System.getenv().getOrDefault("PATH", "").split(File.pathSeparator, -1)),
            Stream.of("/usr/sbin", "/usr/local/sbin"))
        .map(place -> Path.of(place, "nutcracker"))
        .filter(Files::isExecutable)
        .findFirst();
  }
}
