package dev.weir.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.weir.fixture.SideBySide;
import dev.weir.store.LimiterListener;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Three nodes are restarted, one after the other: none counts more nodes than there are. */
@SideBySide
class RollingRestartTest {

  private static final Duration SOON = Duration.ofSeconds(15);

  private final List<RedisLimitStore> nodes = new ArrayList<>();

  @AfterEach
  void closeAll() {
    nodes.forEach(RedisLimitStore::close);
  }

  @ParameterizedTest
  @MethodSource("dev.weir.redis.RedisVersion#tested")
  void on_one_redis(RedisVersion version) {
    try (RedisServer server = RedisServer.start(version)) {
      restart(server.uri());
      closeAll();
    }
  }

  @ParameterizedTest
  @MethodSource("dev.weir.redis.RedisVersion#tested")
  void on_a_cluster(RedisVersion version) {
    try (RedisServers cluster = RedisServers.cluster(version, 3)) {
      restart(cluster.uri());
      closeAll();
    }
  }

  private void restart(String uri) {
    for (int i = 1; i <= 3; i++) {
      open(uri);
      assertThat(alive(i - 1)).isEqualTo(i);
    }
    for (int i = 0; i < 3; i++) {
      open(uri);
      assertThat(alive(3)).as("opened before one is closed").isEqualTo(4);
      close();
      assertThatNoneReckonsWithMoreThanFour();
    }
    for (int i = 0; i < 3; i++) {
      close();
      open(uri);
      assertThat(alive(2)).as("opened after one was closed").isEqualTo(3);
      assertThatNoneReckonsWithMoreThanFour();
    }
    for (RedisLimitStore node : nodes) {
      await().atMost(SOON).until(() -> node.nodes(1).getAsInt() == 3);
    }
  }

  private void open(String uri) {
    RedisOptions options = RedisOptions.of(uri, "rolling").withDeadline(Duration.ofSeconds(2));
    RedisLimitStore node = RedisLimitStore.connect(options, LimiterListener.NONE);
    nodes.add(node);
    await().atMost(SOON).until(() -> node.awaitAnswer(Duration.ofSeconds(1)));
  }

  /** Closes the oldest. */
  private void close() {
    nodes.remove(0).close();
  }

  private int alive(int node) {
    return nodes.get(node).status().liveNodes();
  }

  private void assertThatNoneReckonsWithMoreThanFour() {
    assertThat(nodes)
        .allSatisfy(
            node -> {
              assertThat(node.status().liveNodes()).isLessThanOrEqualTo(4);
              assertThat(node.nodes(1).getAsInt()).isLessThanOrEqualTo(4);
            });
  }
}
