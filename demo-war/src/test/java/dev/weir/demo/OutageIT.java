package dev.weir.demo;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.weir.fixture.Alone;
import dev.weir.http.Answer;
import java.io.IOException;
import java.time.Duration;
import java.util.HashSet;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import redis.clients.jedis.Jedis;
import redis.clients.jedis.exceptions.JedisException;

/** Redis is broken under the running demo, and mended. */
@Alone
class OutageIT {

  private static final Duration PROMISED = Duration.ofSeconds(3);

  /** The last look may come that late: a pause and four requests, on a machine that is busy. */
  private static final Duration POLLING = Duration.ofMillis(500);

  private static final Duration PATIENCE = Duration.ofSeconds(6);

  private DemoProcess demo;

  @BeforeEach
  void start() throws IOException {
    demo = DemoProcess.start();
    awaitStore("REDIS", PATIENCE);
  }

  @AfterEach
  void stop() {
    demo.close();
  }

  @Test
  void when_redis_is_killed_the_nodes_limit_by_themselves_and_return() throws IOException {
    DemoProcess.signal("KILL", demo.redis());
    assertIsLimitedByNode("killed");
    awaitStore("LOCAL", PATIENCE);
    assertThat(demo.control(0, "/start").body()).contains("RUNNING");
    assertReturns();
    assertThat(hello(0, "after").isPassed()).isTrue();
  }

  @Test
  void when_redis_freezes_the_nodes_limit_by_themselves_and_return() {
    assertThat(demo.control(1, "/freeze").body()).contains("FROZEN");
    assertIsLimitedByNode("frozen");
    awaitStore("LOCAL", PATIENCE);
    assertThat(demo.control(1, "/resume").body()).contains("RUNNING");
    assertReturns();
  }

  /** A new key at one node: half of a burst of ten, and no answer but these two. */
  private void assertIsLimitedByNode(String key) {
    long started = System.nanoTime();
    Set<Integer> seen = new HashSet<>();
    int allowed = 0;
    for (int i = 0; i < 30; i++) {
      Answer answer = hello(0, key);
      seen.add(answer.status());
      allowed += answer.isPassed() ? 1 : 0;
    }
    double seconds = (System.nanoTime() - started) / 1e9;
    assertThat(seen).containsExactlyInAnyOrder(200, 429);
    assertThat((double) allowed).isBetween(5.0, 5 + seconds + 1);
  }

  /** The time runs from the first write that Redis answers. */
  private void assertReturns() {
    await("a write")
        .atMost(PATIENCE)
        .pollDelay(Duration.ZERO)
        .pollInterval(Duration.ofMillis(10))
        .ignoreExceptionsInstanceOf(JedisException.class)
        .until(this::isWritten);
    awaitStore("REDIS", PROMISED.plus(POLLING));
  }

  private boolean isWritten() {
    try (Jedis client = new Jedis(demo.redisUri())) {
      return "OK".equals(client.set("written", "now"));
    }
  }

  private void awaitStore(String store, Duration patience) {
    await()
        .atMost(patience)
        .pollInterval(Duration.ofMillis(50))
        .untilAsserted(
            () ->
                IntStream.range(0, 2)
                    .forEach(
                        node -> {
                          hello(node, "probe");
                          assertThat(NodeStatus.of(demo.node(node)).store()).isEqualTo(store);
                        }));
  }

  private Answer hello(int node, String key) {
    return demo.node(node).get("/api/hello", "X-API-Key: " + key);
  }
}
