package dev.weir.bench;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ThreadLocalRandom;
import redis.embedded.core.ExecutableProvider;

/** A redis-server on a free port that keeps nothing: the system's, or else the embedded one. */
final class RedisProcess implements AutoCloseable {

  private static final int BUS = 10_000;

  private final Process process;
  private final int port;
  private final Thread hook = new Thread(this::kill);

  private RedisProcess(Process process, int port) {
    this.process = process;
    this.port = port;
    Runtime.getRuntime().addShutdownHook(hook);
  }

  /** Starts one, which may not answer at once. */
  static RedisProcess start(Path directory) throws IOException {
    return start(directory, freePort());
  }

  /** Starts one that can join a cluster. */
  static RedisProcess startForCluster() throws IOException {
    return start(
        Files.createTempDirectory("weir-bench-cluster"), freePort(), "--cluster-enabled", "yes");
  }

  private static RedisProcess start(Path directory, int port, String... more) throws IOException {
    Optional<String> system = Service.onPath("redis-server");
    String binary = system.isPresent() ? system.get() : embedded(directory);
    List<String> command =
        new ArrayList<>(
            List.of(
                binary,
                "--port",
                String.valueOf(port),
                "--bind",
                "127.0.0.1",
                "--save",
                "",
                "--appendonly",
                "no"));
    command.addAll(List.of(more));
    Process process =
        new ProcessBuilder(Service.command(command))
            .directory(directory.toFile())
            .redirectErrorStream(true)
            .redirectOutput(directory.resolve("log").toFile())
            .start();
    return new RedisProcess(process, port);
  }

  String uri() {
    return "redis://127.0.0.1:" + port;
  }

  private static String embedded(Path directory) throws IOException {
    return ExecutableProvider.newJarResourceProvider(directory.toFile()).get().getAbsolutePath();
  }

  /**
   * Returns a free port. It is below those of outgoing connections, none of which takes it before
   * Redis does. So is the one for the bus of a cluster.
   */
  private static int freePort() {
    while (true) {
      int port = ThreadLocalRandom.current().nextInt(11_000, 22_000);
      if (isFree(port) && isFree(port + BUS)) {
        return port;
      }
    }
  }

  private static boolean isFree(int port) {
    try (ServerSocket socket = new ServerSocket(port, 1, InetAddress.getLoopbackAddress())) {
      return socket.isBound();
    } catch (IOException taken) {
      return false;
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
