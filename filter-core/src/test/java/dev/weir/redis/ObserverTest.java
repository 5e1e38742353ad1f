package dev.weir.redis;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.fixture.AcquireRequests;
import dev.weir.store.AcquireRequest.Charge;
import dev.weir.store.Decision;
import dev.weir.store.LimiterListener;
import dev.weir.store.Source;
import dev.weir.store.Subject;
import java.time.Duration;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import redis.clients.jedis.Jedis;

/** A store that decides as all others do, and that no node counts. */
class ObserverTest extends NodeListSuite {

  private static final Duration LONG = Duration.ofSeconds(20);
  private static final Charge TWO_OF_TEN =
      AcquireRequests.charge("observed", "10 per 30 days", Subject.global(), 2);

  @Test
  void the_list_of_nodes_and_their_shares_stay_as_they_are_while_it_decides_and_when_it_ends() {
    try (RedisLimitStore node = connect("node");
        Jedis redis = server.client()) {
      assertThat(node.awaitAnswer(LONG)).isTrue();
      RedisLimitStore observer = observer();
      assertThat(observer.awaitAnswer(LONG)).isTrue();
      assertThat(AcquireRequests.decide(observer, TWO_OF_TEN).source()).isEqualTo(Source.REDIS);
      awaitBeatOf(node, redis);
      assertThat(redis.zrange(KEY, 0, -1)).containsExactly("node");

      try (RedisLimitStore other = connect("other")) {
        awaitNodes(other, 2);
        assertThat(other.nodes(1).getAsInt()).isEqualTo(2);
        observer.close();
        assertThat(redis.zrange(KEY, 0, -1)).containsExactlyInAnyOrder("node", "other");
      }
    }
  }

  @Test
  void alone_it_leaves_no_list() {
    try (RedisLimitStore observer = observer();
        Jedis redis = server.client()) {
      assertThat(observer.awaitAnswer(LONG)).isTrue();
      assertThat(AcquireRequests.decide(observer, TWO_OF_TEN).source()).isEqualTo(Source.REDIS);
      assertThat(redis.exists(KEY)).isFalse();
      assertThat(observer.status().liveNodes()).isEqualTo(1);
      assertThat(observer.nodes(3).getAsInt()).isEqualTo(3);
    }
  }

  @Test
  void it_sees_what_a_node_has_charged_and_a_node_sees_what_it_has_charged() {
    try (RedisLimitStore node = connect();
        RedisLimitStore observer = observer()) {
      assertThat(node.awaitAnswer(LONG)).isTrue();
      assertThat(observer.awaitAnswer(LONG)).isTrue();
      Decision charged = AcquireRequests.decide(node, TWO_OF_TEN);
      assertThat(charged.allowed()).isTrue();
      assertThat(AcquireRequests.decide(observer, TWO_OF_TEN).allowed()).isTrue();
      assertThat(AcquireRequests.peek(observer, TWO_OF_TEN).binding().remaining()).isEqualTo(6);
      assertThat(AcquireRequests.peek(node, TWO_OF_TEN).binding().remaining()).isEqualTo(6);
    }
  }

  /** Waits for a heartbeat that began after now. */
  private static void awaitBeatOf(RedisLimitStore node, Jedis redis) {
    double before = redis.zscore(KEY, "node");
    Awaitility.await()
        .atMost(Duration.ofSeconds(20))
        .until(() -> Load.decides(node) && redis.zscore(KEY, "node") > before);
  }

  private RedisLimitStore observer() {
    return RedisLimitStore.connect(options().asObserver(), LimiterListener.NONE);
  }
}
