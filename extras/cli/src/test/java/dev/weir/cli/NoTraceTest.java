package dev.weir.cli;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.cli.Cli.Result;
import dev.weir.config.Weir;
import dev.weir.redis.RedisServer;
import dev.weir.redis.RedisVersion;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.stream.Stream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import redis.clients.jedis.Jedis;
import redis.clients.jedis.JedisMonitor;

/** A command leaves neither a node nor a value behind. */
class NoTraceTest {

  private static final String NODES = "shop:{nodes}:weir";
  private static final String VALUE = "v4lue-of-a-client";

  private final RedisServer redis = RedisServer.start(RedisVersion.newest());
  private final Cli cli;

  NoTraceTest(@TempDir Path folder) throws IOException {
    this.cli = Cli.with(folder, Shop.yaml(redis));
  }

  @AfterEach
  void stop() {
    redis.close();
  }

  static Stream<List<String>> commands() {
    return Stream.of(
        List.of("check"),
        List.of("explain", "GET", "/api/x", "-H", "X-API-Key: @-"),
        List.of("doctor"),
        List.of("inspect", "--rule", "api"),
        List.of("reset", "--rule", "api", "--all", "--yes"),
        List.of("block", "--rule", "api", "--all", "--for", "1s", "--yes"),
        List.of("unblock", "--rule", "api", "--all", "--yes"),
        List.of("reward", "--rule", "api", "--all", "--permits", "1", "--yes"),
        List.of("digest", "--rule", "api"));
  }

  @ParameterizedTest
  @MethodSource("commands")
  void no_value_is_in_what_others_can_see(List<String> command) throws Exception {
    ConcurrentLinkedQueue<String> monitored = new ConcurrentLinkedQueue<>();
    try (Jedis watching = new Jedis("127.0.0.1", redis.port(), 60_000)) {
      Thread monitor =
          new Thread(
              () ->
                  watching.monitor(
                      new JedisMonitor() {
                        @Override
                        public void onCommand(String seen) {
                          monitored.add(seen);
                        }
                      }));
      monitor.setUncaughtExceptionHandler((thread, closed) -> {});
      monitor.start();
      Process process = cli.start(command.toArray(String[]::new));
      String seen = seen(process);
      try (OutputStream in = process.getOutputStream()) {
        in.write((VALUE + "\n").getBytes(UTF_8));
        in.flush();
        seen += seen(process);
      }
      Result result = Cli.ended(process);
      assertThat(result.exit()).as(result.all()).isEqualTo(Exit.FINE);
      boolean isOffline = Set.of("check", "digest").contains(command.get(0));
      if (!isOffline) {
        Awaitility.await()
            .atMost(Duration.ofSeconds(10))
            .until(() -> monitored.stream().anyMatch(line -> line.contains("shop:{")));
      }
      assertThat(result.all() + seen + monitored).doesNotContain(VALUE);
      assertThat(seen).contains(command.get(0));
    }
  }

  /** What the process list and the environment show of a process. */
  private static String seen(Process process) {
    StringBuilder seen = new StringBuilder();
    for (String file : List.of("cmdline", "environ")) {
      try {
        seen.append(Files.readString(Path.of("/proc", Long.toString(process.pid()), file)));
      } catch (IOException endedOrNoLinux) {
        process.info().commandLine().ifPresent(seen::append);
      }
    }
    return seen.toString();
  }

  @ParameterizedTest
  @MethodSource("commands")
  void no_command_is_a_node(List<String> command) throws Exception {
    try (Weir node = Shop.node(Shop.yaml(redis));
        Jedis client = redis.client()) {
      Awaitility.await()
          .atMost(Duration.ofSeconds(20))
          .until(() -> client.zcard(NODES) == 1 && client.exists(NODES + ":lost"));
      assertThat(node.status().liveNodes()).isEqualTo(1);
      String lost = client.get(NODES + ":lost");
      Process process = cli.start(command.toArray(String[]::new));
      try (OutputStream in = process.getOutputStream()) {
        in.write((VALUE + "\n").getBytes(UTF_8));
      }
      while (process.isAlive()) {
        assertThat(client.zcard(NODES)).isEqualTo(1);
        Thread.onSpinWait();
      }
      assertThat(Cli.ended(process).exit()).isEqualTo(Exit.FINE);
      assertThat(client.zcard(NODES)).isEqualTo(1);
      assertThat(client.get(NODES + ":lost")).isEqualTo(lost);
    }
  }

  @Test
  void a_killed_one_was_no_node_and_its_connections_have_its_name() throws Exception {
    try (Weir node = Shop.node(Shop.yaml(redis));
        Jedis client = redis.client()) {
      Awaitility.await()
          .atMost(Duration.ofSeconds(20))
          .until(() -> client.zcard(NODES) == 1 && client.exists(NODES + ":lost"));
      String lost = client.get(NODES + ":lost");
      Process process = cli.start("doctor");
      Awaitility.await()
          .atMost(Duration.ofSeconds(20))
          .pollInterval(Duration.ofMillis(2))
          .until(
              () -> redis.calls("pttl") > 0); // the store has connected, and a node would be listed
      assertThat(client.clientList()).contains("name=weir-cli ");
      process.destroyForcibly();
      Awaitility.await()
          .atMost(Duration.ofSeconds(20))
          .until(() -> !client.clientList().contains("name=weir-cli "));
      assertThat(client.zcard(NODES)).isEqualTo(1);
      assertThat(client.get(NODES + ":lost")).isEqualTo(lost);
      assertThat(node.status().liveNodes()).isEqualTo(1);
    }
  }
}
