package dev.weir.local;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.fixture.AcquireRequests;
import dev.weir.fixture.ManualTime;
import dev.weir.limit.Limit.Rate;
import dev.weir.limit.TokenBucket;
import dev.weir.store.AcquireRequest.Charge;
import dev.weir.store.Adjustment;
import dev.weir.store.Counter;
import dev.weir.store.Decision;
import dev.weir.store.Decision.Retry;
import dev.weir.store.Decision.Verdict;
import dev.weir.store.Subject;
import java.math.BigInteger;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * The local bucket against a model of its own, in rational numbers that nothing rounds: every
 * answer of random traces is the model's, with time that passes, permits given back, and a clock
 * that stands. The sum over every interval keeps the promise as well.
 */
class LocalBucketModelTest {

  private static final int TRACES = 300;
  private static final int OPERATIONS = 200;
  private static final long RUNS = -1;

  private record Admitted(long nanos, long permits) {}

  private record Granted(Decision.Counted decision, long permits, long nanos) {}

  @ParameterizedTest
  @ValueSource(longs = {1, 20_261_120, 0x5eed_f00d})
  void every_answer_is_the_models(long seed) {
    SplittableRandom random = new SplittableRandom(seed);
    for (int trace = 0; trace < TRACES; trace++) {
      TokenBucket limit = anyLimit(random);
      int nodes = random.nextInt(4) == 0 ? 1 + random.nextInt(300) : 1;
      follow(limit, nodes, random.split(), "seed " + seed + ", trace " + trace);
    }
  }

  private static void follow(TokenBucket limit, int nodes, SplittableRandom random, String trace) {
    ManualTime time = new ManualTime();
    LocalLimitStore store =
        LocalLimitStore.of(LocalOptions.of().withNodes(nodes).withTime(time, time::instant));
    long burst = Math.max(1, (limit.burst() + nodes - 1) / nodes);
    LevelModel model = new LevelModel(limit, nodes, burst);
    Deque<Granted> granted = new ArrayDeque<>();
    long runNanos = 0;
    Counter counter = new Counter("limit", limit, Subject.of("model"));
    Duration hint = Duration.ofNanos(1);
    long stoodNanos = RUNS;
    for (int i = 0; i < OPERATIONS; i++) {
      String step = trace + ", step " + i + ": " + limit + " by " + nodes;
      switch (random.nextInt(10)) {
        case 8 -> {
          long permits = anyMagnitude(Long.MAX_VALUE, random);
          AcquireRequests.adjust(store, new Adjustment.Reward(counter, permits));
          model.refund(permits);
        }
        case 9 -> {
          if (random.nextInt(8) == 0) {
            AcquireRequests.adjust(store, new Adjustment.Reset(counter));
            model.fill();
          }
        }
        case 0, 1, 2 -> {
          Duration passed = anyTime(hint, limit, random);
          time.advance(passed);
          if (stoodNanos == RUNS) {
            model.advance(passed.toNanos());
            runNanos += passed.toNanos();
          } else {
            stoodNanos += passed.toNanos();
          }
        }
        case 3 -> {
          if (!granted.isEmpty()) {
            Granted back = granted.removeLast();
            AcquireRequests.refund(store, back.decision);
            model.refundLate(back.permits, runNanos - back.nanos);
          }
        }
        case 4 -> {
          if (stoodNanos == RUNS) {
            store.suspend();
            stoodNanos = 0;
          } else {
            store.resume();
            if (stoodNanos >= limit.timeToFull().toNanos()) {
              model.fill();
            }
            stoodNanos = RUNS;
          }
        }
        default -> {
          long permits = anyPermits(burst, random);
          Charge charge = new Charge(counter, permits);
          Decision.Counted decision = AcquireRequests.decide(store, charge);
          check(decision, model, permits, burst, step);
          if (decision.allowed()) {
            granted.add(new Granted(decision, permits, runNanos));
          }
          hint = decision.retryAfter().orElse(decision.binding().resetAfter());
        }
      }
    }
  }

  private static void check(
      Decision.Counted decision, LevelModel model, long permits, long burst, String step) {
    Verdict verdict = decision.binding();
    if (permits > burst) {
      assertThat(verdict.retry()).as(step).isEqualTo(Retry.NEVER);
    } else if (model.take(permits)) {
      assertThat(verdict.retry()).as(step).isEqualTo(Retry.NOW);
    } else {
      assertThat(verdict.retry())
          .as(step)
          .isEqualTo(new Retry.After(Duration.ofNanos(model.nanosUntil(permits))));
    }
    assertThat(verdict.remaining()).as(step).isEqualTo(model.remaining());
    assertThat(verdict.resetAfter().toNanos()).as(step).isEqualTo(model.nanosUntilFull());
  }

  @ParameterizedTest
  @ValueSource(longs = {7, 4_711})
  void over_every_interval_no_more_is_admitted_than_burst_and_rate_allow(long seed) {
    SplittableRandom random = new SplittableRandom(seed);
    for (int trace = 0; trace < TRACES; trace++) {
      TokenBucket limit = anyLimit(random);
      ManualTime time = new ManualTime();
      LocalLimitStore store = LocalLimitStore.of(LocalOptions.of().withTime(time, time::instant));
      List<Admitted> admitted = new ArrayList<>();
      for (int i = 0; i < OPERATIONS; i++) {
        long permits = anyPermits(limit.burst(), random);
        Charge charge = new Charge(new Counter("limit", limit, Subject.of("sum")), permits);
        Decision.Counted decision = AcquireRequests.decide(store, charge);
        if (decision.allowed()) {
          admitted.add(new Admitted(time.nanoTime(), permits));
        }
        Duration hint = decision.retryAfter().orElse(decision.binding().resetAfter());
        time.advance(anyTime(hint, limit, random));
      }
      checkIntervals(admitted, limit);
    }
  }

  private static void checkIntervals(List<Admitted> admitted, TokenBucket limit) {
    BigInteger period = BigInteger.valueOf(limit.rate().period().toNanos());
    BigInteger rate = BigInteger.valueOf(limit.rate().permits());
    BigInteger burst = BigInteger.valueOf(limit.burst()).multiply(period);
    for (int from = 0; from < admitted.size(); from++) {
      BigInteger sum = BigInteger.ZERO;
      for (int to = from; to < admitted.size(); to++) {
        sum = sum.add(BigInteger.valueOf(admitted.get(to).permits()));
        long nanos = admitted.get(to).nanos() - admitted.get(from).nanos();
        BigInteger promised = burst.add(rate.multiply(BigInteger.valueOf(nanos)));
        if (sum.multiply(period).compareTo(promised) > 0) {
          throw new AssertionError(sum + " admitted in " + nanos + " ns by " + limit);
        }
      }
    }
  }

  @ParameterizedTest
  @ValueSource(longs = {3, 99})
  void saturated_from_full_it_admits_all_that_burst_and_rate_allow(long seed) {
    SplittableRandom random = new SplittableRandom(seed);
    for (int trace = 0; trace < 100; trace++) {
      TokenBucket limit =
          new TokenBucket(
              new Rate(1 + random.nextLong(5_000), Duration.ofMillis(1 + random.nextLong(9_999))),
              1 + random.nextLong(20));
      ManualTime time = new ManualTime();
      LocalLimitStore store = LocalLimitStore.of(LocalOptions.of().withTime(time, time::instant));
      Charge one = new Charge(new Counter("limit", limit, Subject.of("saturated")), 1);
      long startNanos = time.nanoTime();
      long admitted = 0;
      for (int i = 0; i < OPERATIONS; i++) {
        Decision.Counted decision = AcquireRequests.decide(store, one);
        admitted += decision.allowed() ? 1 : 0;
        time.advance(decision.retryAfter().orElse(Duration.ZERO));
      }
      Decision.Counted last = AcquireRequests.decide(store, one);
      BigInteger refilled =
          BigInteger.valueOf(time.nanoTime() - startNanos)
              .multiply(BigInteger.valueOf(limit.rate().permits()))
              .divide(BigInteger.valueOf(limit.rate().period().toNanos()));
      assertThat(admitted + (last.allowed() ? 1 : 0) + last.binding().remaining())
          .isEqualTo(limit.burst() + refilled.longValueExact());
    }
  }

  private static TokenBucket anyLimit(SplittableRandom random) {
    while (true) {
      try {
        return new TokenBucket(anyRate(random), anyMagnitude(1_000_000_000L, random));
      } catch (IllegalArgumentException notExact) {
        // another one
      }
    }
  }

  private static Rate anyRate(SplittableRandom random) {
    return switch (random.nextInt(8)) {
      case 0 -> new Rate(1, Duration.ofDays(30));
      case 1 -> new Rate(10_000_000, Duration.ofSeconds(1));
      case 2 -> new Rate(99_999_989, Duration.ofDays(1));
      case 3 -> new Rate(999_983, Duration.ofNanos(1_000_003_000L));
      default ->
          new Rate(
              anyMagnitude(100_000_000, random),
              Duration.ofNanos(1_000 * anyMagnitude(366L * 86_400_000_000L, random)));
    };
  }

  private static long anyPermits(long burst, SplittableRandom random) {
    return switch (random.nextInt(6)) {
      case 0 -> burst;
      case 1 -> Math.max(1, burst - 1);
      case 2 -> 1 + random.nextLong(burst);
      default -> anyMagnitude(burst, random);
    };
  }

  /** Around what the last answer said, or any other. */
  private static Duration anyTime(Duration hint, TokenBucket limit, SplittableRandom random) {
    return switch (random.nextInt(6)) {
      case 0, 1 -> bounded(hint);
      case 2 -> bounded(hint).minus(Duration.ofNanos(bounded(hint).isZero() ? 0 : 1));
      case 3 -> Duration.ofNanos(anyMagnitude(bounded(limit.timeToFull()).toNanos(), random));
      default -> Duration.ofNanos(anyMagnitude(10_000_000_000L, random));
    };
  }

  private static Duration bounded(Duration time) {
    Duration most = Duration.ofDays(100);
    return time.compareTo(most) > 0 ? most : time;
  }

  private static long anyMagnitude(long most, SplittableRandom random) {
    long bound = Math.max(1, most >> random.nextInt(64 - Long.numberOfLeadingZeros(most)));
    return 1 + random.nextLong(bound);
  }
}
