package dev.weir.redis;

import static dev.weir.fixture.AcquireRequests.charge;
import static dev.weir.fixture.AcquireRequests.decide;
import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.fixture.AcquireRequests;
import dev.weir.store.AcquireRequest.Charge;
import dev.weir.store.Adjustment;
import dev.weir.store.StoreUnavailableException;
import dev.weir.store.Subject;
import java.time.Duration;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import redis.clients.jedis.Jedis;

/** Slots that move, and a node that looks like a single server. */
@Execution(ExecutionMode.CONCURRENT) // they mostly wait for a cluster
class RedisClusterMoveTest extends ClusterUnderTest {

  @Test
  void a_slot_that_has_moved_is_followed() {
    Subject subject = subjectOn(0);
    Charge one = charge("moving", LIMIT, subject, 1);
    int slot = slotOf(subject);
    try (Jedis from = cluster.get(0).client();
        Jedis to = cluster.get(1).client();
        Jedis other = cluster.get(2).client()) {
      String target = to.clusterMyId();
      for (Jedis node : new Jedis[] {to, from, other}) {
        node.clusterSetSlotNode(slot, target);
      }
      AcquireRequests.adjust(store, new Adjustment.Block(one.counter(), Duration.ofDays(1)));
      assertThat(to.exists(KEYS.key(one.counter()))).isTrue();
      assertThat(decide(store, one).allowed()).isFalse();
    }
    assertThat(received.switches).isEmpty();
  }

  @Test
  void a_slot_that_another_has_taken_over_from_a_dead_primary_is_soon_found_there() {
    Subject subject = subjectOn(0);
    Charge one = charge("taken-over", LIMIT, subject, 1);
    cluster.get(0).kill();
    try (Jedis heir = cluster.get(1).client();
        Jedis other = cluster.get(2).client()) {
      String id = heir.clusterMyId();
      heir.clusterSetSlotNode(slotOf(subject), id);
      other.clusterSetSlotNode(slotOf(subject), id);
    }
    Duration wellBeforeTheNextRefreshOfAHealthyCluster = Duration.ofSeconds(4);
    Awaitility.await().atMost(wellBeforeTheNextRefreshOfAHealthyCluster).until(() -> decides(one));
  }

  @Test
  void a_node_that_has_lost_its_peers_and_claims_their_slots_is_not_followed() {
    Subject subject = subjectOn(0);
    Charge one = charge("claimed", LIMIT, subject, 1);
    String key = KEYS.key(one.counter());
    try (Jedis alone = cluster.get(0).client();
        Jedis owner = cluster.get(1).client();
        Jedis other = cluster.get(2).client()) {
      String ownerId = owner.clusterMyId();
      owner.clusterBumpEpoch(); // as it does when it has imported a slot: else the claim would win
      Awaitility.await().until(() -> epoch(ownerId, other).equals(epoch(ownerId, owner)));
      alone.clusterForget(ownerId);
      alone.clusterForget(other.clusterMyId());
      other.clusterSetSlotNode(slotOf(subject), ownerId);
      owner.clusterSetSlotNode(slotOf(subject), ownerId);

      for (int start = 0; start < 12; start++) {
        try (RedisLimitStore fresh = knowingAll(Duration.ofSeconds(2))) {
          Awaitility.await().until(() -> fresh.status().primaries().size() >= 2);
          AcquireRequests.adjust(fresh, new Adjustment.Block(one.counter(), Duration.ofDays(1)));
        }
      }
      assertThat(alone.exists(key)).isFalse();
      assertThat(owner.exists(key)).isTrue();
    }
  }

  @Test
  void a_key_on_its_way_is_decided_where_it_goes() {
    Subject subject = subjectOn(0);
    Charge one = charge("on-its-way", LIMIT, subject, 1);
    beginMove(subject);
    assertThat(decide(store, one).binding().remaining()).isEqualTo(9);
    assertThat(decide(store, one).binding().remaining()).isEqualTo(8);
    assertThat(received.switches).isEmpty();
  }

  @Test
  void one_of_its_nodes_named_as_a_redis_that_is_alone_is_wrong_setup_and_stays_out() {
    RedisOptions options = RedisOptions.of(cluster.get(0).uri(), "clustered");
    try (RedisLimitStore alone = RedisLimitStore.connect(options, received)) {
      Awaitility.await().until(() -> isRefused(alone, subjectOn(1)) && !received.errors.isEmpty());
      assertThat(alone.isHealthy()).isFalse();
      assertThat(received.errors)
          .singleElement()
          .asString()
          .contains("wrong set-up", "redis-cluster://");
      Awaitility.await().until(() -> received.probes.size() > 4);
      assertThat(received.probes).doesNotContain(true);
      assertThat(isRefused(alone, subjectOn(0))).isTrue();
    }
  }

  /** Returns the config epoch of a node, as this one knows it. */
  private static String epoch(String id, Jedis node) {
    return node.clusterNodes()
        .lines()
        .filter(line -> line.startsWith(id))
        .map(line -> line.split(" ", -1)[6])
        .findFirst()
        .orElseThrow();
  }

  private static boolean isRefused(RedisLimitStore store, Subject subject) {
    try {
      store.decide(AcquireRequests.request(charge("any", LIMIT, subject, 1)));
      return false;
    } catch (StoreUnavailableException refused) {
      return true;
    }
  }
}
