package dev.weir.bench;

import dev.weir.fixture.FreePorts;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import redis.embedded.core.ExecutableProvider;

/** A redis-server on a free port that keeps nothing: the system's, or else the embedded one. */
final class RedisProcess implements AutoCloseable {

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
    return start(directory, FreePorts.next());
  }

  /** Starts one that can join a cluster. */
  static RedisProcess startForCluster() throws IOException {
    return start(
        Files.createTempDirectory("weir-bench-cluster"),
        FreePorts.next(),
        "--cluster-enabled",
        "yes");
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

  private void kill() {
    process.destroyForcibly().onExit().join();
  }

  @Override
  public void close() {
    kill();
    Runtime.getRuntime().removeShutdownHook(hook);
  }
}
