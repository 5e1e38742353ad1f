package dev.weir.redis;

import static dev.weir.Asks.charge;
import static dev.weir.Asks.decide;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.weir.Amendment;
import dev.weir.Asks;
import dev.weir.Charge;
import dev.weir.Counter;
import dev.weir.Deadline;
import dev.weir.Decision;
import dev.weir.Limit;
import dev.weir.StoreUnavailableException;
import dev.weir.Subject;
import dev.weir.Verdict;
import java.time.Duration;
import java.util.HashSet;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.MethodSource;
import redis.clients.jedis.Jedis;

/** A cluster of three primaries: slots, redirections, and one primary that is out. */
@ParameterizedClass(name = "{0}")
@MethodSource("dev.weir.redis.RedisVersion#all")
class RedisClusterTest {

  private static final RedisKeys KEYS = new RedisKeys("clustered", Optional.empty());
  private static final String LIMIT = "10 per 30 days";

  @Parameter RedisVersion version = RedisVersion.embedded();

  private final Recorder heard = new Recorder();

  @SuppressWarnings("NullAway.Init") // started before each test
  private RedisServers cluster;

  @SuppressWarnings("NullAway.Init") // connected before each test
  private RedisLimitStore store;

  @BeforeEach
  void start() {
    cluster = RedisServers.cluster(version, 3);
    RedisOptions options =
        RedisOptions.of(cluster.uri(), "clustered").withDeadline(Duration.ofSeconds(2));
    store = RedisLimitStore.connect(options, heard);
    Awaitility.await().until(() -> Load.decides(store));
  }

  @AfterEach
  void stop() {
    store.close();
    cluster.close();
  }

  @Test
  void every_slot_decides_and_the_limits_of_a_subject_decide_together() {
    Set<Integer> servers = new HashSet<>();
    for (int i = 0; i < 100; i++) {
      Subject subject = Subject.of("user", "u" + i);
      Decision.Counted decision =
          decide(
              store, charge("a", LIMIT, subject, 3), charge("b", "5 per hour window", subject, 2));
      assertThat(Asks.remaining(decision)).containsExactly(7L, 3L);
      servers.add(serverOf(subject));
    }
    assertThat(servers).hasSize(3);
    assertThat(store.status().primaries()).hasSize(3);
    assertThat(store.isHealthy()).isTrue();
  }

  @Test
  void across_slots_all_are_charged_or_none_and_the_one_that_denies_is_named() {
    Subject[] subjects = {subjectOn(0), subjectOn(1), subjectOn(2)};
    for (int denying = 0; denying < 3; denying++) {
      String round = "round" + denying;
      Charge[] charges = new Charge[3];
      for (int i = 0; i < 3; i++) {
        charges[i] = charge(round + i, i == denying ? "3 per 30 days" : LIMIT, subjects[i], 2);
      }
      Decision.Counted granted = decide(store, charges);
      assertThat(granted.allowed()).isTrue();
      assertThat(granted.verdicts())
          .extracting(verdict -> verdict.counter().name())
          .containsExactly(round + 0, round + 1, round + 2);

      Decision.Counted denied = decide(store, charges);
      assertThat(denied.allowed()).isFalse();
      assertThat(denied.limitName()).isEqualTo(round + denying);
      for (int i = 0; i < 3; i++) {
        Charge one = charge(round + i, charges[i].counter().limit().toString(), subjects[i], 1);
        assertThat(decide(store, one).remaining()).isEqualTo(i == denying ? 0 : 7);
      }
      Asks.giveBack(store, granted);
      assertThat(
              decide(store, charge(round + denying, "3 per 30 days", subjects[denying], 2))
                  .allowed())
          .isTrue();
    }
  }

  @Test
  void across_slots_a_denial_tells_how_every_counter_stands_and_the_longest_wait_binds() {
    Charge fits = charge("fits", LIMIT, subjectOn(0), 3);
    Charge soon = charge("soon", "4 per 10 days", subjectOn(1), 4);
    Charge late = charge("late", "4 per 300 days", subjectOn(2), 4);
    decide(store, soon, late);

    Decision.Counted denied = decide(store, late, fits, soon);
    assertThat(denied.allowed()).isFalse();
    assertThat(denied.verdicts())
        .extracting(verdict -> verdict.counter().name())
        .containsExactly("late", "fits", "soon");
    assertThat(denied.verdicts()).extracting(Verdict::fits).containsExactly(false, true, false);
    assertThat(Asks.remaining(denied)).containsExactly(0L, 10L, 0L);
    assertThat(denied.verdicts().get(1).resetAfter()).isZero();
    assertThat(denied.limitName()).isEqualTo("late");
    assertThat(Asks.retryAfter(denied)).isGreaterThan(Duration.ofDays(299));
    assertThat(denied.receipt().grants()).isEmpty();
    assertThat(decide(store, fits).remaining()).isEqualTo(7);
  }

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
    try (Jedis redis = cluster.get(0).client()) {
      long before = scripts(redis);
      for (int i = 0; i < 200; i++) {
        assertThat(decides(alive, dead)).isFalse();
      }
      long heartbeatsAndEarlierGiveBacks = 20;
      assertThat(scripts(redis) - before).isLessThan(heartbeatsAndEarlierGiveBacks);
    }
  }

  @Test
  void giving_back_to_a_slot_that_is_out_leaves_none_of_the_others_out() {
    Charge dead = charge("a", LIMIT, subjectOn(0), 4);
    Charge alive = charge("a", LIMIT, subjectOn(2), 4);
    Decision.Counted granted = decide(store, dead, alive);
    cluster.get(0).kill();
    Awaitility.await().until(() -> !decides(dead) && !store.isHealthy());
    assertThatThrownBy(
            () ->
                store.amend(
                    new Amendment.GiveBack(granted.receipt()),
                    Deadline.after(Duration.ofSeconds(2))))
        .isInstanceOf(StoreUnavailableException.class);
    assertThat(decide(store, alive).remaining()).isEqualTo(6);
  }

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
      assertThat(decide(store, one).remaining()).isEqualTo(9);
      assertThat(to.exists(KEYS.key(one.counter()))).isTrue();
      assertThat(decide(store, one).remaining()).isEqualTo(8);
    }
    assertThat(heard.switches).isEmpty();
  }

  @Test
  void a_key_on_its_way_is_decided_where_it_goes() {
    Subject subject = subjectOn(0);
    Charge one = charge("on-its-way", LIMIT, subject, 1);
    int slot = slotOf(subject);
    try (Jedis from = cluster.get(0).client();
        Jedis to = cluster.get(1).client()) {
      to.clusterSetSlotImporting(slot, from.clusterMyId());
      from.clusterSetSlotMigrating(slot, to.clusterMyId());
    }
    assertThat(decide(store, one).remaining()).isEqualTo(9);
    assertThat(decide(store, one).remaining()).isEqualTo(8);
    assertThat(heard.switches).isEmpty();
  }

  @Test
  void one_of_its_nodes_named_as_a_redis_that_is_alone_is_wrong_setup_and_stays_out() {
    RedisOptions options = RedisOptions.of(cluster.get(0).uri(), "clustered");
    try (RedisLimitStore alone = RedisLimitStore.connect(options, heard)) {
      Awaitility.await().until(() -> isRefused(alone, subjectOn(1)) && !alone.isHealthy());
      assertThat(heard.errors)
          .singleElement()
          .asString()
          .contains("wrong set-up", "redis-cluster://");
      Awaitility.await().until(() -> heard.probes.size() > 4);
      assertThat(heard.probes).doesNotContain(true);
      assertThat(isRefused(alone, subjectOn(0))).isTrue();
    }
  }

  private static boolean isRefused(RedisLimitStore store, Subject subject) {
    try {
      store.decide(Asks.ask(charge("any", LIMIT, subject, 1)));
      return false;
    } catch (StoreUnavailableException refused) {
      return true;
    }
  }

  private boolean decides(Charge... charges) {
    try {
      store.decide(Asks.ask(charges));
      return true;
    } catch (StoreUnavailableException gone) {
      return false;
    }
  }

  private static long scripts(Jedis redis) {
    return redis
        .info("commandstats")
        .lines()
        .filter(line -> line.startsWith("cmdstat_eval"))
        .mapToLong(line -> Long.parseLong(line.replaceFirst(".*?calls=(\\d+).*", "$1")))
        .sum();
  }

  private static Subject subjectOn(int server) {
    while (true) {
      Subject subject = Subject.of("user", UUID.randomUUID().toString());
      if (serverOf(subject) == server) {
        return subject;
      }
    }
  }

  private static int serverOf(Subject subject) {
    int slot = slotOf(subject);
    return slot < 5_461 ? 0 : slot < 10_922 ? 1 : 2;
  }

  private static int slotOf(Subject subject) {
    return RedisKeys.slot(KEYS.key(new Counter("any", Limit.parse(LIMIT), subject)));
  }
}
