package dev.weir.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.weir.http.FakeRequest;
import dev.weir.http.spi.Outcome;
import dev.weir.redis.RedisServer;
import dev.weir.redis.RedisVersion;
import dev.weir.store.Source;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What was used is used, on the node that has changed and on those that have not yet. */
class ChangingNodesTest {

  private static final Duration SOON = Duration.ofSeconds(20);
  private static final String[] KINDS = {"", " window", " window UTC", " sliding"};

  @SuppressWarnings("NullAway.Init") // by JUnit
  @TempDir
  private Path directory;

  private LiveFile file(String name, String yaml) throws Exception {
    return new LiveFile(Files.createDirectory(directory.resolve(name)), yaml);
  }

  private static int passing(Weir weir, int requests) {
    return Weirs.passing(weir, requests, () -> FakeRequest.get("/a"));
  }

  @ParameterizedTest
  @ValueSource(strings = {"", " window", " window UTC", " sliding"})
  void in_process(String kind) throws Exception {
    String yaml = "rules: [{ name: all, match: /**, limits: [%d per 30 days%s] }]";
    if (kind.equals(" window UTC")) {
      yaml = yaml.replace("30 days", "day");
    }
    LiveFile file = file("one", yaml.formatted(100, kind));
    try (Weir weir = file.open()) {
      assertThat(passing(weir, 50)).isEqualTo(50);
      file.change(yaml.formatted(10, kind));
      assertThat(passing(weir, 10)).as("used 50 of 10").isZero();
      file.change(yaml.formatted(1_000, kind));
      assertThat(passing(weir, 2_000)).as("used 50 of 1000").isEqualTo(950);
      file.change(yaml.formatted(100, kind));
      assertThat(passing(weir, 10)).as("used 1000 of 100").isZero();
    }
  }

  @Test
  void through_redis_two_nodes_of_which_one_has_changed_share_one_count() throws Exception {
    try (RedisServer redis = RedisServer.start(RedisVersion.embedded())) {
      for (String kind : KINDS) {
        redis(redis, kind);
        try (var client = redis.client()) {
          client.flushAll();
        }
      }
    }
  }

  private void redis(RedisServer redis, String kind) throws Exception {
    String yaml =
        """
        application: shop
        redis: { uri: "%s", deadline: 5s }
        rules: [{ name: all, match: /a, limits: [%%d per %s%s] }]
        """
            .formatted(redis.uri(), kind.endsWith("UTC") ? "day" : "30 days", kind);
    LiveFile old = file("old" + kind, yaml.formatted(100));
    LiveFile next = file("next" + kind, yaml.formatted(100));
    try (Weir one = old.open();
        Weir other = next.open()) {
      awaitRedis(one);
      awaitRedis(other);
      assertThat(passing(one, 25) + passing(other, 25)).isEqualTo(50);
      next.change(yaml.formatted(60));
      assertThat(passing(other, 20)).as("50 of 60 were used, at 100").isEqualTo(10);
      assertThat(passing(one, 5)).as("60 of 100").isEqualTo(5);
      assertThat(passing(other, 5)).as("65 of 60").isZero();
      assertThat(passing(one, 100)).as("65 of 100").isEqualTo(35);
      next.change(yaml.formatted(110));
      assertThat(passing(other, 100)).as("100 of 110").isEqualTo(10);
      assertThat(passing(one, 5)).as("110 of 100").isZero();
      assertThat(one.status().decisions())
          .extracting(d -> d.source())
          .isSubsetOf(Optional.of(Source.REDIS), Optional.of(Source.DENY_CACHE));
    }
  }

  private static void awaitRedis(Weir weir) {
    await()
        .atMost(SOON)
        .untilAsserted(() -> assertThat(weir.status().store()).isEqualTo(Source.REDIS));
    assertThat(weir.limiter().limit(FakeRequest.get("/none"))).isInstanceOf(Outcome.Passed.class);
  }
}
