package dev.weir.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.weir.fixture.AcquireRequests;
import dev.weir.store.AcquireRequest.Charge;
import dev.weir.store.Adjustment;
import dev.weir.store.Deadline;
import dev.weir.store.Decision.Receipt;
import dev.weir.store.Decision.Receipt.Grant;
import dev.weir.store.LimitStore;
import dev.weir.store.LimiterListener;
import dev.weir.store.Source;
import dev.weir.store.StoreUnavailableException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import redis.clients.jedis.Jedis;

/** Permits on many primaries are renewed together, and an unresponsive one delays no others. */
class RedisClusterRenewalTest extends ClusterUnderTest {

  private static final Duration DEADLINE = Duration.ofMillis(300);
  private static final Duration TOGETHER = DEADLINE.multipliedBy(10);

  @Test
  void a_primary_that_is_silent_has_the_time_of_one_and_not_that_of_all() {
    RedisOptions options = RedisOptions.of(cluster.uri(), "clustered").withDeadline(DEADLINE);
    try (LimitStore hasty = RedisLimitStore.connect(options, LimiterListener.NONE)) {
      Awaitility.await().until(() -> Load.decides(hasty));
      List<Grant> held = new ArrayList<>();
      for (int server = 0; server < 3; server++) {
        held.addAll(held(hasty, server));
      }
      List<ByteBuffer> before = List.of(lease(held, 1), lease(held, 2));
      cluster.get(0).freeze();
      try {
        assertThatThrownBy(() -> renew(hasty, held))
            .isInstanceOf(StoreUnavailableException.class)
            .hasMessageContaining(":" + cluster.get(0).port());
      } finally {
        cluster.get(0).thaw();
      }
      assertThat(lease(held, 1)).isNotEqualTo(before.get(0));
      assertThat(lease(held, 2)).isNotEqualTo(before.get(1));
    }
  }

  private static List<Grant> held(LimitStore store, int server) {
    Charge charge = AcquireRequests.charge("any", "1 concurrent, ttl 1h", subjectOn(server), 1);
    return AcquireRequests.decide(store, charge).receipt().grants();
  }

  private static Set<Grant> renew(LimitStore store, List<Grant> held)
      throws StoreUnavailableException {
    return store.adjust(
        new Adjustment.Renew(new Receipt(Source.REDIS, held)), Deadline.after(TOGETHER));
  }

  /** Returns the server's stored state of the permit there. */
  private ByteBuffer lease(List<Grant> held, int server) {
    String key = KEYS.key(held.get(server).charge().counter());
    try (Jedis redis = cluster.get(server).client()) {
      return ByteBuffer.wrap(redis.dump(key));
    }
  }
}
