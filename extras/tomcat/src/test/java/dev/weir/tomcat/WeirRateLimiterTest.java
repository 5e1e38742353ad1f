package dev.weir.tomcat;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.weir.http.RawHttp;
import dev.weir.redis.RedisServer;
import dev.weir.redis.RedisVersion;
import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Tomcat's own filter, which applications need not know of. */
class WeirRateLimiterTest {

  private static final int TOO_MANY = 429;

  private final Path directory;

  WeirRateLimiterTest(@TempDir Path directory) {
    this.directory = directory;
  }

  @Test
  void two_nodes_share_a_limit_and_each_counts_its_share_without_Redis() throws Exception {
    try (RedisServer redis = RedisServer.start(RedisVersion.newest())) {
      Map<String, String> parameters =
          Map.of(
              WeirRateLimiter.REDIS,
              redis.uri(),
              WeirRateLimiter.APPLICATION,
              "shop",
              WeirRateLimiter.NODES,
              "2");
      try (Node one = Node.start(directory.resolve("one"), parameters);
          Node two = Node.start(directory.resolve("two"), parameters)) {
        assertThat(passing(one, two)).isEqualTo(4);
        redis.kill();
        AtomicLong passed = new AtomicLong();
        await() // for the end of a second in which denials are remembered
            .untilAsserted(() -> assertThat(passed.addAndGet(passing(one, two))).isEqualTo(4));
        assertThat(passing(one, two)).as("each has had its 2 of 4").isZero();
      }
    }
  }

  @Test
  void without_Redis_a_node_counts_by_itself_and_tells_the_client() throws Exception {
    try (Node node = Node.start(directory, Map.of())) {
      assertThat(new RawHttp(node.base()).get("/a.txt").field("RateLimit"))
          .isEqualTo("\"weir\";r=3");
      assertThat(passing(node)).isEqualTo(3);
    }
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          weir.nodes       | two         | weir.nodes: 'two' (expected: a whole number from 1)
          weir.nodes       | 0           | nodes: 0 (expected:
          weir.redis       | http://x    | redis.uri: http://x (expected: redis://
          """)
  void a_wrong_parameter_stops_the_application(String name, String value, String message)
      throws Exception {
    try (Node node = Node.start(directory, Map.of(name, value))) {
      assertThat(node.log()).contains(message);
    }
  }

  /** Of ten requests to each. */
  private static long passing(Node... nodes) {
    return IntStream.range(0, 10 * nodes.length)
        .map(i -> new RawHttp(nodes[i % nodes.length].base()).get("/a.txt").status())
        .filter(status -> status != TOO_MANY)
        .count();
  }
}
