package dev.weir.demo;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.weir.http.Answer;
import java.io.IOException;
import java.time.Duration;
import java.util.HashSet;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Redis is broken under the running demo, and mended. */
class OutageIT {

  /** Three seconds are promised; the rest is for a machine that is busy with other tests. */
  private static final Duration RECOVERY = Duration.ofSeconds(6);

  private static final Duration DETECTION = Duration.ofSeconds(6);

  private DemoProcess demo;

  @BeforeEach
  void start() throws IOException {
    demo = DemoProcess.start();
    awaitStore("REDIS", RECOVERY);
  }

  @AfterEach
  void stop() {
    demo.close();
  }

  @Test
  void when_redis_is_killed_the_nodes_limit_by_themselves_and_return() throws IOException {
    DemoProcess.signal("KILL", demo.redis());
    assertIsLimitedByNode("killed");
    awaitStore("LOCAL", DETECTION);
    assertThat(demo.node(0).post("/demo/redis/start").body()).contains("RUNNING");
    awaitStore("REDIS", RECOVERY);
    assertThat(hello(0, "after").isPassed()).isTrue();
  }

  @Test
  void when_redis_freezes_the_nodes_limit_by_themselves_and_return() {
    assertThat(demo.node(1).post("/demo/redis/freeze").body()).contains("FROZEN");
    assertIsLimitedByNode("frozen");
    awaitStore("LOCAL", DETECTION);
    assertThat(demo.node(1).post("/demo/redis/resume").body()).contains("RUNNING");
    awaitStore("REDIS", RECOVERY);
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
