package dev.weir.redis;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.fixture.Units;
import dev.weir.limit.Limit;
import dev.weir.limit.TokenBucket;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** The bucket's Lua decides as the exact model does, on generated traces. */
class LuaBucketTraceTest extends OnEveryRedis {

  private static final int TRACES = 300;
  private static final int STEPS = 100;

  private static final long START = 1_795_000_000_000_000L;
  private static final List<String> BUCKETS =
      List.of(
          "3 per second, burst 6",
          "10 per second, burst 5",
          "100 per second",
          "1 per 30 days",
          "7 per 30 days, burst 3",
          "10_000_000 per second, burst 1000",
          "999_983 per 1_000_003us, burst 13",
          "5 per minute, burst 1",
          "1_000_000 per 366 days, burst 1_000_000",
          "1 per 7us, burst 123_456_789",
          "17 per 31 days, burst 2_000",
          "999_983 per 366 days, burst 150_000");

  @Test
  void no_interval_admits_more_than_burst_and_rate_allow() {
    for (int seed = 0; seed < TRACES; seed++) {
      SplittableRandom random = new SplittableRandom(1_000 + seed);
      TokenBucket limit = (TokenBucket) Limit.parse(BUCKETS.get(seed % BUCKETS.size()));
      List<Step.Decide> steps = new ArrayList<>();
      long now = START;
      for (int i = 0; i < STEPS; i++) {
        now += anyTime(random, limit) - (random.nextInt(5) == 0 ? anyTime(random, limit) : 0);
        steps.add(new Step.Decide(now, false, limit, 1 + random.nextLong(limit.burst())));
      }
      assertPromise(limit, steps, LuaTrace.run(redis, steps));
    }
  }

  private static long anyTime(SplittableRandom random, TokenBucket limit) {
    return BucketWalk.anyTime(random, limit.rate(), limit.burst());
  }

  /** Uses the latest time at which something was granted: a denial stores nothing. */
  private static void assertPromise(
      TokenBucket limit, List<Step.Decide> steps, List<Step.Reply> replies) {
    Rational rate =
        Rational.of(limit.rate().permits(), TimeUnit.MICROSECONDS.convert(limit.rate().period()));
    long tick = Units.of(limit).tickMicros();
    List<long[]> grants = grants(steps, replies, tick);
    for (int from = 0; from < grants.size(); from++) {
      long admitted = 0;
      for (int to = from; to < grants.size(); to++) {
        admitted += grants.get(to)[1];
        Rational time = Rational.of(grants.get(to)[0] - grants.get(from)[0]);
        Rational most = Rational.of(limit.burst()).plus(rate.times(time));
        assertThat(Rational.of(admitted))
            .as("%s, %d to %d", limit, from, to)
            .isLessThanOrEqualTo(most);
      }
    }
  }

  /** Returns times on the tick, and permits. */
  private static List<long[]> grants(List<Step.Decide> steps, List<Step.Reply> replies, long tick) {
    List<long[]> grants = new ArrayList<>();
    long latest = 0;
    for (int i = 0; i < steps.size(); i++) {
      if (replies.get(i).fits() == 1) {
        latest = Math.max(latest, steps.get(i).now() / tick * tick);
        grants.add(new long[] {latest, steps.get(i).permits()});
      }
    }
    return grants;
  }

  @Test
  void the_limits_of_these_tests_have_every_tick() {
    assertThat(BUCKETS)
        .map(limit -> Units.of(Limit.parse(limit)).tickMicros())
        .contains(1L, 1_000L, 1_000_000L);
  }

  @Test
  void consumption_carries_over_when_numbers_change_and_nothing_is_gained() {
    for (int seed = 0; seed < TRACES; seed++) {
      SplittableRandom random = new SplittableRandom(2_000 + seed);
      List<TokenBucket> limits = new ArrayList<>();
      for (int i = 0; i < 3; i++) {
        limits.add((TokenBucket) Limit.parse(BUCKETS.get(random.nextInt(BUCKETS.size()))));
      }
      List<Step.Decide> steps = new ArrayList<>();
      long now = START;
      for (int i = 0; i < STEPS; i++) {
        TokenBucket limit = limits.get(random.nextInt(limits.size()));
        now += anyTime(random, limit);
        steps.add(new Step.Decide(now, true, limit, 1 + random.nextLong(limit.burst())));
      }
      List<Step.Reply> replies = LuaTrace.run(redis, steps);
      String stored = "";
      for (int i = 0; i < steps.size(); i++) {
        assertCarriesOver(stored, steps.get(i), replies.get(i));
        stored = replies.get(i).state();
      }
    }
  }

  private static void assertCarriesOver(String stored, Step.Decide step, Step.Reply reply) {
    BucketModel exact = BucketModel.of(stored);
    TokenBucket limit = (TokenBucket) step.limit();
    Rational slack =
        stored.endsWith(":" + Units.of(limit).q())
            ? Rational.of(0)
            : Rational.of(2, Units.of(limit).q()).plus(Rational.of(1, 1L << 48));
    Step.Reply best = exact.decideLeniently(step);
    BucketModel worst = exact.at() < 0 ? exact : exact.owing(slack);
    long most = BigInteger.ONE.shiftLeft(53).longValue() / Units.of(limit).q() - limit.burst();
    if (exact.debt().compareTo(Rational.of(most - 2)) > 0) {
      return; // more than can be counted exactly: kept as the most that can
    }
    Step.Reply strictest = worst.decideLeniently(step);
    assertThat(reply.fits())
        .as("%s after %s: %s", step, stored, reply)
        .isBetween(Math.min(strictest.fits(), best.fits()), best.fits());
    if (reply.fits() == best.fits()) {
      long taken = reply.fits() == 1 ? step.permits() : 0;
      assertThat(reply.remaining() + taken)
          .as("%s after %s: %s", step, stored, reply)
          .isBetween(best.remaining() - 1, best.remaining());
      long longest = strictest.fits() == 0 ? strictest.retry() : best.retry();
      assertThat(reply.retry())
          .isBetween(Math.min(best.retry(), BucketModel.FAR - 1_000_000), longest);
    }
    if (reply.fits() == 1) {
      Rational after = BucketModel.of(reply.state()).debt();
      assertThat(after).isGreaterThanOrEqualTo(exact.after(step));
      assertThat(after).isLessThanOrEqualTo(exact.after(step).plus(slack));
    } else if (reply.ttl() == 0) {
      assertThat(reply.state()).isEqualTo(stored);
    }
  }

  @Test
  void a_state_that_nobody_here_has_written_counts_as_none() {
    Limit limit = Limit.parse("3 per second, burst 6");
    List<String> foreign =
        List.of(
            "garbage",
            "1",
            "1:2",
            "1:2:3:4",
            "-1:2:3",
            "1:-2:3",
            "1:2:0",
            " 1:2:3",
            "1:2:3 ",
            "0x1:2:3",
            "1e3:2:3",
            "nan:2:3",
            "inf:2:3",
            "1.5:2:3",
            "9007199254740992:2:3",
            "1:9007199254740992:3",
            "9007199254740992:2:1000000",
            "1:9007199254740992:1000000",
            "1:2:99999999999999999999999",
            "\0",
            "::",
            "1:2:3\n");
    for (String state : foreign) {
      List<Step> steps = List.of(new Step.Overwrite(state), new Step.Decide(START, true, limit, 6));
      Step.Reply reply = LuaTrace.run(redis, steps).get(1);
      assertThat(reply.fits()).as(state).isEqualTo(1);
      assertThat(reply.state()).as(state).isEqualTo("6000000:" + START + ":1000000");
    }
  }

  @Test
  void a_debt_that_a_finer_tick_has_written_is_paid_from_the_next_tick_on() {
    Limit fine = Limit.parse("1 per 10ms, burst 1000");
    Limit coarse = Limit.parse("1 per 10s, burst 500_000_000");
    List<Step> steps =
        List.of(
            new Step.Decide(START + 1, true, fine, 1),
            new Step.Decide(START + 10_000_000, true, coarse, 1));
    assertThat(LuaTrace.run(redis, steps))
        .extracting(Step.Reply::state)
        .containsExactly(
            "10000:" + (START + 1) + ":10000", "10001:" + (START + 10_000_000) + ":10000");
  }
}
