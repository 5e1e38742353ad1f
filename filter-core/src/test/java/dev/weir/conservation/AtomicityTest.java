package dev.weir.conservation;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.fixture.Full;
import dev.weir.redis.RedisServer;
import dev.weir.redis.RedisServers;
import dev.weir.redis.RedisVersion;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import redis.clients.jedis.Jedis;

/**
 * Eight processes race for permits of two limits at once, each of which denies while the other
 * would grant. Neither refills within the test, so what is counted in Redis is what was charged: it
 * is compared with what the processes say that they were granted, to the permit.
 */
@Full
@Timeout(180)
class AtomicityTest {

  private static final int PROCESSES = 8;
  private static final long QUOTA = 6_000;
  private static final String WIDE = QUOTA + " per 30 days window";

  /** The number of denials to await after the wide limit is used up. */
  private static final long DENIALS_AFTER = 2_000;

  /**
   * What both limits were charged, in one command. A bucket's debt is rounded to whole permits:
   * what it is repaid within minutes is thousandths of one.
   */
  private static final String CHARGED =
      """
      local tight, wide = 0, 0
      for _, key in ipairs(redis.call('KEYS', 'race:*')) do
        if string.find(key, 'b:tight', 1, true) then
          local debt, unit = string.match(redis.call('GET', key), '^(%d+):%d+:(%d+)')
          tight = tight + math.floor(tonumber(debt) / tonumber(unit) + 0.5)
        elseif string.find(key, 'w:wide', 1, true) then
          wide = wide + tonumber(string.match(redis.call('GET', key), '^%d+'))
        end
      end
      return { tight, wide }
      """;

  /** Permits that were charged and not given back. */
  private record Charged(long tight, long wide) {

    Charged plus(Charged other) {
      return new Charged(tight + other.tight, wide + other.wide);
    }

    static Charged in(Jedis redis) {
      List<?> sums = (List<?>) redis.eval(CHARGED);
      return new Charged((Long) sums.get(0), (Long) sums.get(1));
    }

    /** Sums the charges of a cluster. They are of one instant only while no process charges. */
    static Charged in(RedisServers cluster) {
      Charged all = new Charged(0, 0);
      for (RedisServer server : cluster.all()) {
        try (Jedis redis = server.client()) {
          all = all.plus(in(redis));
        }
      }
      return all;
    }
  }

  @Test
  void in_one_slot_there_is_no_instant_at_which_one_limit_is_charged_and_the_other_is_not()
      throws Exception {
    try (RedisServer server = RedisServer.start(RedisVersion.newest());
        Jedis redis = server.client();
        Racers racers = Racers.start(PROCESSES, server.uri(), WIDE)) {
      List<Charged> seen = new ArrayList<>();
      await(
          () -> {
            seen.add(Charged.in(redis));
            return seen.get(seen.size() - 1).wide == QUOTA;
          });
      awaitDenials(racers, DENIALS_AFTER);
      racers.finish();

      report("one slot", racers, Charged.in(redis));
      assertThat(seen).hasSizeGreaterThan(10).allMatch(charged -> charged.tight == charged.wide);
      assertExact(racers, Charged.in(redis));
      assertThat(Charged.in(redis).wide).isEqualTo(QUOTA);
    }
  }

  @Test
  void across_slots_what_was_granted_by_one_is_given_back_exactly_when_another_denies()
      throws Exception {
    try (RedisServers cluster = RedisServers.cluster(RedisVersion.newest(), 3);
        Racers racers = Racers.start(PROCESSES, cluster.uri(), WIDE)) {
      await(() -> Charged.in(cluster).wide == QUOTA);
      awaitDenials(racers, DENIALS_AFTER);
      racers.finish();

      report("a cluster", racers, Charged.in(cluster));
      assertExact(racers, Charged.in(cluster));
    }
  }

  @Test
  void across_slots_what_a_killed_process_does_not_refund_is_lost_and_nothing_else_is()
      throws Exception {
    int killed = PROCESSES / 2;
    try (RedisServers cluster = RedisServers.cluster(RedisVersion.newest(), 3);
        Racers racers = Racers.start(PROCESSES, cluster.uri(), WIDE)) {
      for (int i = 0; i < killed; i++) {
        long part = QUOTA * (i + 1) / (killed + 1);
        await(() -> Charged.in(cluster).wide >= part);
        racers.kill(i);
      }
      await(() -> Charged.in(cluster).wide > QUOTA - Racer.COST);
      awaitDenials(racers, DENIALS_AFTER);
      racers.finish();

      Charged charged = Charged.in(cluster);
      report("a cluster, " + killed + " killed", racers, charged);
      assertThat(racers.spoiled()).isZero();
      long least = racers.granted() * Racer.COST;
      long most = least + (long) killed * Racer.THREADS * Racer.COST;
      assertThat(charged.wide).isBetween(least, most);
      assertThat(charged.tight).isBetween(least, most);
    }
  }

  private static void assertExact(Racers racers, Charged charged) {
    long granted = racers.granted() * Racer.COST;
    assertThat(racers.spoiled()).as("answers that were not Redis's").isZero();
    assertThat(racers.denied()).isGreaterThan(DENIALS_AFTER);
    assertThat(charged).isEqualTo(new Charged(granted, granted));
  }

  private static void awaitDenials(Racers racers, long more) {
    long before = racers.denied();
    await(() -> racers.denied() > before + more);
  }

  private static void await(Callable<Boolean> reached) {
    Awaitility.await()
        .atMost(Duration.ofSeconds(60))
        .pollInterval(Duration.ofMillis(5))
        .until(reached);
  }

  @SuppressWarnings("SystemOut") // what was lost is this test's result
  private static void report(String where, Racers racers, Charged charged) {
    System.out.printf(
        "Atomicity, %s: %d granted and %d denied to %d processes; charged %s, %d a grant%n",
        where, racers.granted(), racers.denied(), PROCESSES, charged, Racer.COST);
  }
}
