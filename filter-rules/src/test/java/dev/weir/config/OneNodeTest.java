package dev.weir.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.weir.http.FakeRequest;
import dev.weir.redis.RedisOptions;
import dev.weir.redis.RedisServer;
import dev.weir.redis.RedisVersion;
import dev.weir.store.Source;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import redis.clients.jedis.Jedis;

/** An application is one node, whatever it has opened. */
class OneNodeTest {

  private static final Duration SOON = Duration.ofSeconds(20);

  private final ClassLoader application = Weirs.application();

  @Test
  void two_configurations_have_the_whole_share_each_when_redis_is_gone() {
    try (RedisServer redis = RedisServer.start(RedisVersion.embedded());
        Weir one = Weir.open(Weirs.webInf(yaml(redis, "one"), application));
        Weir two = Weir.open(Weirs.webInf(yaml(redis, "two"), application))) {
      awaitStore(Source.REDIS, one);
      awaitStore(Source.REDIS, two);
      assertThat(nodes(redis)).containsExactly(one.status().node());
      assertThat(two.status().node()).isEqualTo(one.status().node());
      redis.kill();
      for (Weir weir : List.of(one, two)) {
        awaitStore(Source.LOCAL, weir);
        assertThat(Weirs.passing(weir, 20, () -> FakeRequest.get("/a"))).isEqualTo(10);
      }
    }
  }

  @Test
  void it_leaves_the_list_with_the_last_configuration_that_is_closed() {
    try (RedisServer redis = RedisServer.start(RedisVersion.embedded())) {
      Weir one = Weir.open(Weirs.webInf(yaml(redis, "one"), application));
      Weir two = Weir.open(Weirs.webInf(yaml(redis, "two"), application));
      awaitStore(Source.REDIS, one);
      awaitStore(Source.REDIS, two);
      String node = one.status().node();
      one.close();
      assertThat(nodes(redis)).containsExactly(node);
      two.close();
      assertThat(nodes(redis)).isEmpty();
    }
  }

  @Test
  void two_applications_are_two_nodes() {
    try (RedisServer redis = RedisServer.start(RedisVersion.embedded());
        Weir one = Weir.open(Weirs.webInf(yaml(redis, "one"), application));
        Weir two = Weir.open(Weirs.webInf(yaml(redis, "two"), Weirs.application()))) {
      await()
          .atMost(SOON)
          .untilAsserted(
              () ->
                  assertThat(nodes(redis))
                      .containsExactlyInAnyOrder(one.status().node(), two.status().node()));
      await().atMost(SOON).until(() -> one.status().liveNodes() == 2);
    }
  }

  @Test
  void who_names_the_node_is_obeyed() {
    try (RedisServer redis = RedisServer.start(RedisVersion.embedded());
        Weir weir =
            Weir.builder().redis(RedisOptions.of(redis.uri(), "shop").withNode("n1")).start()) {
      assertThat(weir.status().node()).isEqualTo("n1");
      await().atMost(SOON).until(() -> nodes(redis).equals(List.of("n1")));
    }
  }

  /**
   * Sends requests until the store has changed. Without requests, Weir does not check its store.
   */
  private static void awaitStore(Source store, Weir weir) {
    await()
        .atMost(SOON)
        .until(
            () -> {
              weir.limiter().limit(FakeRequest.get("/warm-up"));
              return weir.status().store() == store;
            });
  }

  private static List<String> nodes(RedisServer redis) {
    try (Jedis client = redis.client()) {
      return client.zrange("shop:{nodes}:weir", 0, -1);
    }
  }

  private static String yaml(RedisServer redis, String rule) {
    return """
        application: shop
        redis: { uri: "%s", deadline: 1s }
        rules: [{ name: %s, match: /a, limits: 10 per hour }, { name: warm-up, match: /warm-up, limits: 100000 per hour }]
        """
        .formatted(redis.uri(), rule);
  }
}
