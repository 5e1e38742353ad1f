package dev.weir.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.weir.fixture.LogCapture;
import dev.weir.fixture.ManualScheduler;
import dev.weir.fixture.ManualTime;
import dev.weir.redis.RedisServer;
import dev.weir.redis.RedisVersion;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Nodes that are fewer than configured, or that do not count together, are warned of once. */
class NodesReminderTest {

  private static final Duration NINE_MINUTES = Duration.ofMinutes(9);
  private static final Duration TEN_MINUTES = Duration.ofMinutes(10);

  private final RedisServer redis = RedisServer.start(RedisVersion.newest());
  private final ManualTime time = new ManualTime();
  private final ManualScheduler minutes = new ManualScheduler(time);
  private final Registry registry = new Registry(FakeVariables.EMPTY, () -> minutes);
  private final LogCapture log = new LogCapture("dev.weir.config");
  private final Path file;

  NodesReminderTest(@TempDir Path directory) {
    file = directory.resolve("weir.yaml");
  }

  @AfterEach
  void close() {
    log.close();
    redis.close();
  }

  @Test
  void one_of_three_nodes_for_ten_minutes_is_warned_of_once() throws IOException {
    try (Weir weir = open("nodes: 3")) {
      minutes.advance(NINE_MINUTES);
      assertThat(log.text()).doesNotContain("alive with this application");
      minutes.advance(TEN_MINUTES.multipliedBy(3));
      assertThat(log.text())
          .containsOnlyOnce(
              "'nodes' is 3, but for ten minutes fewer have been alive with this application in"
                  + " this Redis, now 1. In an outage these grant 1/3 of each limit together.");
      assertThat(weir.status().reckonedNodes()).isEqualTo(3);
    }
  }

  @Test
  void as_many_nodes_as_configured_are_not_warned_of() throws IOException {
    Registry elsewhere = new Registry(FakeVariables.EMPTY, () -> new ManualScheduler(time));
    try (Weir weir = open("nodes: 2");
        Weir other = open("nodes: 2", elsewhere)) {
      await().until(() -> weir.status().liveNodes() == 2);
      minutes.advance(TEN_MINUTES.multipliedBy(2));
      assertThat(other.status().liveNodes()).isEqualTo(2);
      assertThat(log.text()).doesNotContain("alive with this application");
      assertThat(minutes.waiting()).as("it still checks").isEqualTo(1);
    }
    assertThat(minutes.waiting()).as("after the close").isZero();
  }

  @Test
  void a_Redis_that_is_out_counts_no_nodes() throws IOException {
    try (Weir weir = open("nodes: 3")) {
      minutes.advance(NINE_MINUTES);
      redis.kill();
      await().until(() -> !weir.status().redis().orElseThrow().isHealthy());
      minutes.advance(TEN_MINUTES);
      assertThat(log.text()).doesNotContain("alive with this application");
    }
  }

  @Test
  void a_reload_with_another_number_begins_anew() throws IOException {
    try (Weir weir = open("nodes: 3")) {
      minutes.advance(NINE_MINUTES);
      write("nodes: 2");
      weir.reload();
      minutes.advance(NINE_MINUTES);
      assertThat(log.text()).doesNotContain("alive with this application");
      minutes.advance(Duration.ofMinutes(1));
      assertThat(log.text()).contains("'nodes' is 2, but");
    }
  }

  private Weir open(String nodes) throws IOException {
    return open(nodes, registry);
  }

  private Weir open(String nodes, Registry registry) throws IOException {
    write(nodes);
    Weir weir =
        registry.open(Weirs.initParams(Weirs.application(), Map.of("config", file.toString())));
    await().until(() -> weir.status().redis().orElseThrow().clockSkew().isPresent());
    return weir;
  }

  private void write(String nodes) throws IOException {
    Files.writeString(
        file,
        "application: seen\nreload: off\n%s\nredis: { uri: '%s', deadline: 2s }\n"
                .formatted(nodes, redis.uri())
            + "rules: [{ name: all, match: /**, subject: global, limits: 9 per hour }]\n");
  }
}
