package dev.weir.demo;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.weir.fixture.Full;
import dev.weir.http.Answer;
import dev.weir.redis.RedisServer;
import dev.weir.redis.RedisVersion;
import java.io.IOException;
import org.junit.jupiter.api.Test;
import redis.clients.jedis.Jedis;

/** The demo without a Redis of its own. */
@Full
class OtherStoresIT {

  @Test
  void a_given_redis_is_shared_and_left_alone() throws IOException {
    try (RedisServer redis = RedisServer.start(RedisVersion.embedded());
        DemoProcess demo = DemoProcess.start("--redis", redis.uri())) {
      assertThat(allowedOfThirty(demo)).isGreaterThanOrEqualTo(10);
      assertThat(NodeStatus.of(demo.node(0)).store()).isEqualTo("REDIS");
      await().until(() -> NodeStatus.of(demo.node(0)).liveNodes() == 2);
      assertThat(demo.node(0).get("/demo/redis").status()).isEqualTo(404);
      assertThat(NodeStatus.of(demo.node(0)).json().getBoolean("control")).isFalse();
      assertThat(demo.children()).isEmpty();
      demo.signal("TERM");
      demo.exitCode();
      try (Jedis client = redis.client()) {
        assertThat(client.ping()).isEqualTo("PONG");
      }
    }
  }

  @Test
  void without_any_redis_each_node_limits_its_share() throws IOException {
    try (DemoProcess demo = DemoProcess.start("--local")) {
      for (int i = 0; i < 5; i++) {
        assertThat(hello(demo, 0).isPassed()).as("half of ten").isTrue();
      }
      assertThat(allowedOfThirty(demo)).isLessThan(30);
      NodeStatus status = NodeStatus.of(demo.node(0));
      assertThat(status.store()).isEqualTo("LOCAL");
      assertThat(status.json().getString("breaker")).isEqualTo("NONE");
      assertThat(status.json().getBoolean("control")).as("a button for Redis").isFalse();
      assertThat(demo.children()).isEmpty();
    }
  }

  private static int allowedOfThirty(DemoProcess demo) {
    int allowed = 0;
    for (int i = 0; i < 30; i++) {
      allowed += hello(demo, i % 2).isPassed() ? 1 : 0;
    }
    return allowed;
  }

  private static Answer hello(DemoProcess demo, int node) {
    return demo.node(node).get("/api/hello", "X-API-Key: given");
  }
}
