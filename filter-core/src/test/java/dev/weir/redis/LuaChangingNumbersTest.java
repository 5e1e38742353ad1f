package dev.weir.redis;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.fixture.SideBySide;
import dev.weir.fixture.Units;
import dev.weir.limit.FixedWindow;
import dev.weir.limit.Limit;
import dev.weir.limit.Limit.Rate;
import dev.weir.limit.SlidingWindow;
import dev.weir.limit.TokenBucket;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/**
 * Nodes with old and new numbers decide on one counter in turn, while a change reaches all of them.
 * Together they admit no more than the more generous of the two would alone.
 */
@SideBySide
class LuaChangingNumbersTest extends OnEveryRedis {

  private static final int TRACES = 400;
  private static final int STEPS = 120;
  private static final long START = 1_795_000_000_000_000L;

  /** A long time: a trace of only such steps still ends below 2^53. */
  private static final long FAR = 10_000_000_000_000L;

  private record Grant(long at, long permits) {}

  private static List<List<String>> buckets() {
    return List.of(
        List.of("100 per second, burst 100", "10 per second, burst 10"),
        List.of("3 per second, burst 6", "7 per minute, burst 40"),
        List.of("999_983 per 1_000_003us, burst 13", "10 per second, burst 5"),
        List.of("1 per 30 days", "10_000_000 per second, burst 1000"),
        List.of("17 per 31 days, burst 2_000", "1 per 7us, burst 123"));
  }

  @Test
  void buckets_admit_no_more_than_the_larger_burst_and_the_faster_rate() {
    for (int seed = 0; seed < TRACES; seed++) {
      SplittableRandom random = new SplittableRandom(seed);
      List<TokenBucket> limits =
          buckets().get(seed % buckets().size()).stream()
              .map(limit -> (TokenBucket) Limit.parse(limit))
              .toList();
      long burst = Math.max(limits.get(0).burst(), limits.get(1).burst());
      Rational rate = max(perMicro(limits.get(0)), perMicro(limits.get(1)));
      List<Grant> grants = grants(trace(limits, random));
      for (int from = 0; from < grants.size(); from++) {
        long admitted = 0;
        for (Grant grant : grants.subList(from, grants.size())) {
          admitted += grant.permits();
          // the coarser tick of the two may make a time later by one of its own
          long micros = grant.at() - grants.get(from).at() + coarsest(limits);
          assertThat(Rational.of(admitted))
              .as("seed %d, %s", seed, limits)
              .isLessThanOrEqualTo(Rational.of(burst).plus(rate.times(Rational.of(micros))));
        }
      }
    }
  }

  private static Rational perMicro(TokenBucket limit) {
    Rate rate = limit.rate();
    return Rational.of(rate.permits(), TimeUnit.MICROSECONDS.convert(rate.period()));
  }

  private static Rational max(Rational one, Rational other) {
    return one.compareTo(other) < 0 ? other : one;
  }

  private static long coarsest(List<TokenBucket> limits) {
    long tick =
        Math.max(Units.of(limits.get(0)).tickMicros(), Units.of(limits.get(1)).tickMicros());
    return tick == 1 ? 0 : tick;
  }

  @Test
  void what_was_used_is_used_and_a_new_limit_gives_its_difference_at_most() {
    Limit hundred = Limit.parse("100 per hour");
    assertThat(remaining(hundred, 50, Limit.parse("1000 per hour"))).isEqualTo(950);
    assertThat(remaining(hundred, 50, Limit.parse("10 per hour"))).isZero();
    Limit window = Limit.parse("100 per hour window");
    assertThat(remaining(window, 50, Limit.parse("1000 per hour window"))).isEqualTo(950);
    assertThat(remaining(window, 50, Limit.parse("10 per hour window"))).isZero();
    Limit calendar = Limit.parse("100 per hour window UTC");
    assertThat(remaining(calendar, 50, Limit.parse("1000 per hour window UTC"))).isEqualTo(950);
    assertThat(remaining(calendar, 50, Limit.parse("10 per hour window UTC"))).isZero();
    Limit sliding = Limit.parse("100 per hour sliding");
    assertThat(remaining(sliding, 50, Limit.parse("1000 per hour sliding"))).isEqualTo(950);
    assertThat(remaining(sliding, 50, Limit.parse("10 per hour sliding"))).isZero();
  }

  private long remaining(Limit old, long used, Limit now) {
    List<Step.Decide> steps =
        List.of(new Step.Decide(START, true, old, used), new Step.Decide(START + 1, true, now, 0));
    return LuaTrace.run(redis, steps).get(1).remaining();
  }

  @Test
  void windows_admit_no_more_than_the_larger_quota_before_the_end_that_is_stored() {
    List<List<String>> pairs =
        List.of(
            List.of("100 per minute window", "10 per minute window"),
            List.of("50 per hour window UTC", "9 per hour window UTC"),
            List.of("50 per minute window", "9 per hour window"),
            List.of("30 per day window UTC", "20 per day window Asia/Tokyo"));
    for (int seed = 0; seed < TRACES; seed++) {
      List<FixedWindow> limits =
          pairs.get(seed % pairs.size()).stream()
              .map(limit -> (FixedWindow) Limit.parse(limit))
              .toList();
      long quota = Math.max(limits.get(0).quota(), limits.get(1).quota());
      List<Step.Decide> steps = trace(limits, new SplittableRandom(seed));
      List<Step.Reply> replies = LuaTrace.run(redis, steps);
      long end = 0;
      long used = 0;
      for (int i = 0; i < steps.size(); i++) {
        used = steps.get(i).now() >= end ? 0 : used;
        if (replies.get(i).ttl() > 0) {
          end = replies.get(i).stamp();
        }
        if (replies.get(i).fits() == 1) {
          used += steps.get(i).permits();
          assertThat(used).as("seed %d, step %d of %s", seed, i, limits).isLessThanOrEqualTo(quota);
        }
      }
    }
  }

  @Test
  void sliding_windows_admit_no_more_than_the_larger_quota_in_any_window_of_the_shorter_length() {
    List<List<String>> pairs =
        List.of(
            List.of("10 per second sliding", "3 per second sliding"),
            List.of(
                "100 per minute sliding, sub-windows 6", "30 per minute sliding, sub-windows 9"),
            List.of("20 per second sliding, sub-windows 7", "20 per 2s sliding, sub-windows 3"),
            List.of("7 per 3us sliding", "7 per 4us sliding, sub-windows 1"));
    for (int seed = 0; seed < TRACES; seed++) {
      List<SlidingWindow> limits =
          pairs.get(seed % pairs.size()).stream()
              .map(limit -> (SlidingWindow) Limit.parse(limit))
              .toList();
      long quota = Math.max(limits.get(0).quota(), limits.get(1).quota());
      long length =
          Math.min(
              TimeUnit.MICROSECONDS.convert(limits.get(0).length()),
              TimeUnit.MICROSECONDS.convert(limits.get(1).length()));
      List<Grant> grants = grants(trace(limits, new SplittableRandom(seed)));
      for (Grant first : grants) {
        long admitted =
            grants.stream()
                .filter(grant -> grant.at() >= first.at() && grant.at() < first.at() + length)
                .mapToLong(Grant::permits)
                .sum();
        assertThat(admitted).as("seed %d, %s", seed, limits).isLessThanOrEqualTo(quota);
      }
    }
  }

  /** Returns decisions by the one and the other in any order, half of them when a permit is due. */
  private static List<Step.Decide> trace(List<? extends Limit> limits, SplittableRandom random) {
    List<Step.Decide> steps = new ArrayList<>();
    long now = START + random.nextLong(1_000_000_000L);
    for (int i = 0; i < STEPS; i++) {
      Limit limit = limits.get(random.nextInt(2));
      long full = Math.min(TimeUnit.MICROSECONDS.convert(limit.timeToFull()), FAR);
      now +=
          switch (random.nextInt(8)) {
            case 0 -> full;
            case 1, 2 -> random.nextLong(full + 1);
            case 3, 4 -> random.nextLong(full / limit.capacity() * 2 + 2);
            default -> random.nextLong(3);
          };
      long permits =
          random.nextInt(3) == 0 ? limit.capacity() : 1 + random.nextLong(limit.capacity());
      steps.add(new Step.Decide(now, true, limit, random.nextBoolean() ? 1 : permits));
    }
    return steps;
  }

  private List<Grant> grants(List<Step.Decide> steps) {
    List<Step.Reply> replies = LuaTrace.run(redis, steps);
    List<Grant> grants = new ArrayList<>();
    for (int i = 0; i < steps.size(); i++) {
      if (replies.get(i).fits() == 1) {
        grants.add(new Grant(steps.get(i).now(), steps.get(i).permits()));
      }
    }
    return grants;
  }
}
