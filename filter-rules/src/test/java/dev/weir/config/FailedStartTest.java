package dev.weir.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.weir.config.internal.read.Settings;
import dev.weir.internal.store.Scheduler;
import dev.weir.redis.RedisServer;
import dev.weir.redis.RedisVersion;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.Set;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import redis.clients.jedis.Jedis;

/** A start that fails when all is built leaves nothing behind. */
class FailedStartTest {

  private static final Duration SOON = Duration.ofSeconds(20);

  @Test
  void connections_and_threads_end_with_a_start_that_fails(@TempDir Path directory)
      throws Exception {
    Supplier<Scheduler> noThread =
        () -> {
          throw new OutOfMemoryError("unable to create native thread");
        };
    Path file = directory.resolve("weir.yaml");
    Set<Thread> before = Thread.getAllStackTraces().keySet();
    try (RedisServer redis = RedisServer.start(RedisVersion.embedded())) {
      Files.writeString(
          file,
          """
          application: shop
          redis: %s
          nodes: 1
          rules: [{ name: all, match: /**, limits: 3 per hour }]
          """
              .formatted(redis.uri()));
      Registry registry = new Registry(FakeVariables.EMPTY, noThread);
      WeirSource source = Weirs.initParams(Weirs.application(), Map.of("config", file.toString()));
      assertThatThrownBy(() -> registry.open(source)).isInstanceOf(OutOfMemoryError.class);
      await().atMost(SOON).untilAsserted(() -> assertThat(threadsSince(before)).isEmpty());
      try (Jedis jedis = redis.client()) {
        await()
            .atMost(SOON)
            .untilAsserted(() -> assertThat(jedis.clientList().lines()).as("but ours").hasSize(1));
      }
    }
  }

  @Test
  @SuppressWarnings("NullAway") // nothing real fails between the stores and the end of building
  void threads_end_with_an_engine_that_cannot_be_built() {
    Settings settings =
        Weirs.settings(
            """
            application: shop
            redis: redis://127.0.0.1:1
            rules: [{ name: all, match: /**, limits: 3 per hour }]
            """);
    WeirRuntime.Environment environment =
        new WeirRuntime.Environment(
            "node", FakeVariables.EMPTY, WeirSource.of("weir"), new ManualPoller());
    Set<Thread> before = Thread.getAllStackTraces().keySet();
    assertThatThrownBy(() -> WeirRuntime.start(settings, null, environment))
        .isInstanceOf(NullPointerException.class);
    await().atMost(SOON).untilAsserted(() -> assertThat(threadsSince(before)).isEmpty());
  }

  private static Set<String> threadsSince(Set<Thread> before) {
    return Thread.getAllStackTraces().keySet().stream()
        .filter(thread -> !before.contains(thread))
        .map(Thread::getName)
        .filter(name -> name.startsWith("weir-"))
        .collect(Collectors.toSet());
  }
}
