package dev.weir.bench;

import java.io.File;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import redis.embedded.core.ExecutableProvider;

/** A redis-server on a free port, the system's or else the embedded one, that keeps nothing. */
final class RedisProcess implements AutoCloseable {

  private final Process process;
  private final int port;
  private final Thread hook = new Thread(this::kill);

  private RedisProcess(Process process, int port) {
    this.process = process;
    this.port = port;
    Runtime.getRuntime().addShutdownHook(hook);
  }

  /** It may take a moment until it answers. */
  static RedisProcess start(Path directory) throws IOException {
    int port = freePort();
    Optional<String> system = systems();
    String binary = system.isPresent() ? system.get() : embedded(directory);
    Process process =
        new ProcessBuilder(
                List.of(
                    binary,
                    "--port",
                    String.valueOf(port),
                    "--bind",
                    "127.0.0.1",
                    "--save",
                    "",
                    "--appendonly",
                    "no"))
            .directory(directory.toFile())
            .redirectErrorStream(true)
            .redirectOutput(directory.resolve("log").toFile())
            .start();
    return new RedisProcess(process, port);
  }

  String uri() {
    return "redis://127.0.0.1:" + port;
  }

  private static Optional<String> systems() {
    return Arrays.stream(System.getenv().getOrDefault("PATH", "").split(File.pathSeparator, -1))
        .map(place -> Path.of(place, "redis-server"))
        .filter(Files::isExecutable)
        .map(Path::toString)
        .findFirst();
  }

  private static String embedded(Path directory) throws IOException {
    return ExecutableProvider.newJarResourceProvider(directory.toFile()).get().getAbsolutePath();
  }

  private static int freePort() throws IOException {
    try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      return socket.getLocalPort();
    }
  }

  private void kill() {
    process.destroyForcibly().onExit().join();
  }

  @Override
  public void close() {
    kill();
    Runtime.getRuntime().removeShutdownHook(hook);
  }
}
