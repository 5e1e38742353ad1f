package dev.weir.redis;

import static dev.weir.fixture.AcquireRequests.charge;
import static dev.weir.fixture.AcquireRequests.decide;
import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.fixture.AcquireRequests;
import dev.weir.fixture.Alone;
import dev.weir.fixture.LogCapture;
import dev.weir.store.AcquireRequest;
import dev.weir.store.AcquireRequest.Charge;
import dev.weir.store.Deadline;
import dev.weir.store.Decision;
import dev.weir.store.OnOutage;
import java.time.Duration;
import java.util.List;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import redis.clients.jedis.Jedis;

/** What a cluster decides while one of its primaries is out or unresponsive. */
@Alone
@Execution(ExecutionMode.CONCURRENT) // they mostly wait for a cluster
class RedisClusterOutageTest extends ClusterUnderTest {

  @Test
  void a_primary_that_is_out_leaves_the_slots_of_others_alone() {
    Charge dead = charge("a", "1000 per second", subjectOn(0), 1);
    Charge alive = charge("a", "1000 per second", subjectOn(1), 1);
    cluster.get(0).kill();
    Awaitility.await()
        .pollInterval(Duration.ofMillis(5))
        .until(() -> !decides(dead) && !store.isHealthy());
    for (int i = 0; i < 200; i++) {
      assertThat(decides(alive)).isTrue();
    }
    assertThat(store.status().primaries())
        .extracting(RedisStatus.Primary::breaker)
        .contains(RedisStatus.Breaker.OPEN)
        .contains(RedisStatus.Breaker.CLOSED);
  }

  /** Redis requires full coverage by default: then the other primaries refuse too. */
  @Test
  void where_the_cluster_requires_full_coverage_a_primary_that_is_out_is_an_outage_of_all() {
    Charge alive = charge("covered", "1000 per second", subjectOn(1), 1);
    assertThat(decides(alive)).isTrue();
    for (RedisServer node : cluster.all()) {
      try (Jedis redis = node.client()) {
        redis.configSet("cluster-require-full-coverage", "yes");
      }
    }
    cluster.get(0).kill();
    Awaitility.await()
        .atMost(Duration.ofSeconds(30))
        .until(() -> !decides(alive) && !store.isHealthy());
  }

  @Test
  void the_log_says_of_each_primary_how_many_requests_were_decided_without_it() {
    try (LogCapture log = new LogCapture(RedisLimitStore.class)) {
      limitMemory("1");
      decideWithout(0, 50);
      decideWithout(1, 20);
      limitMemory("0");
      Awaitility.await().until(store::isHealthy);
      Awaitility.await()
          .untilAsserted(
              () ->
                  assertThat(log.text())
                      .containsPattern(decidesAgain(0, 50))
                      .containsPattern(decidesAgain(1, 20)));
    }
  }

  /** Lets the first two write nothing, or again. */
  private void limitMemory(String bytes) {
    for (RedisServer node : cluster.all().subList(0, 2)) {
      try (Jedis redis = node.client()) {
        redis.configSet("maxmemory", bytes);
      }
    }
  }

  /** The first five of them find out that the server is out. */
  private void decideWithout(int server, int requests) {
    Charge charge = charge("a", LIMIT, subjectOn(server), 1);
    for (int i = 0; i < requests; i++) {
      assertThat(decides(charge)).isFalse();
    }
  }

  private String decidesAgain(int server, int requests) {
    return ":"
        + cluster.get(server).port()
        + " decides again after [0-9.]+ s; "
        + requests
        + " req";
  }

  @Test
  void a_new_store_finds_the_others_at_once_though_one_node_is_silent() throws Exception {
    Charge alive = charge("fresh", "1000 per second", subjectOn(1), 1);
    Duration lessThanASilentNodeIsWaitedFor = Duration.ofMillis(500);
    cluster.get(0).freeze();
    try {
      for (int start = 0; start < 5; start++) {
        try (RedisLimitStore fresh = knowingAll(lessThanASilentNodeIsWaitedFor)) {
          Deadline due = Deadline.after(lessThanASilentNodeIsWaitedFor);
          AcquireRequest request = new AcquireRequest(List.of(alive), OnOutage.DENY, due);
          assertThat(fresh.decide(request).allowed()).isTrue();
        }
      }
    } finally {
      cluster.get(0).thaw();
    }
  }

  @Test
  void a_denial_stands_though_another_slot_is_silent() {
    Charge exhausted = charge("exhausted", "2 per 30 days", subjectOn(0), 2);
    decide(store, exhausted);
    Charge elsewhere = charge("elsewhere", LIMIT, subjectOn(2), 1);
    cluster.get(2).freeze();
    try {
      Decision.Counted denied = decide(store, exhausted, elsewhere);
      assertThat(denied.allowed()).isFalse();
      assertThat(denied.limitName()).hasValue("exhausted");
    } finally {
      cluster.get(2).thaw();
    }
  }

  @Test
  void a_grant_is_given_back_when_a_later_slot_is_out() {
    Charge alive = charge("a", LIMIT, subjectOn(0), 4);
    Charge dead = charge("a", LIMIT, subjectOn(2), 1);
    cluster.get(2).kill();
    Awaitility.await().until(() -> !decides(alive, dead) && !store.isHealthy());
    Awaitility.await()
        .untilAsserted(
            () ->
                assertThat(
                        decide(store, charge("a", LIMIT, alive.counter().subject(), 10)).allowed())
                    .isTrue());
  }

  @Test
  void nothing_is_charged_while_a_later_slot_is_known_to_be_out() {
    Charge alive = charge("a", "1_000_000 per 30 days", subjectOn(0), 1);
    Charge dead = charge("a", LIMIT, subjectOn(2), 1);
    assertThat(decides(alive)).isTrue();
    cluster.get(2).kill();
    Awaitility.await().until(() -> !decides(alive, dead) && !store.isHealthy());
    long before = cluster.get(0).calls("eval");
    for (int i = 0; i < 200; i++) {
      assertThat(decides(alive, dead)).isFalse();
    }
    long heartbeatsAndEarlierRefunds = 20;
    assertThat(cluster.get(0).calls("eval") - before).isLessThan(heartbeatsAndEarlierRefunds);
  }

  @Test
  void a_slot_that_is_out_keeps_no_permits_from_coming_back_to_the_others() {
    Charge dead = charge("a", LIMIT, subjectOn(0), 4);
    Charge alive = charge("a", LIMIT, subjectOn(2), 4);
    Decision.Counted granted = decide(store, dead, alive);
    cluster.get(0).kill();
    Awaitility.await().until(() -> !decides(dead) && !store.isHealthy());
    AcquireRequests.refund(store, granted); // the refund reaches the slot when it is back
    assertThat(decide(store, alive).binding().remaining()).isEqualTo(6);
  }
}
