package dev.weir.local;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.AcquireRequests;
import dev.weir.Adjustment;
import dev.weir.Charge;
import dev.weir.Counter;
import dev.weir.Decision;
import dev.weir.ManualTime;
import dev.weir.NodeShare;
import dev.weir.Retry;
import dev.weir.Subject;
import dev.weir.Verdict;
import dev.weir.limit.SlidingWindow;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The local sliding window against a list of all that it has granted. */
class LocalSlidingModelTest {

  private static final int TRACES = 300;
  private static final int OPERATIONS = 200;

  private record Granted(Decision.Counted decision, long nanos, long permits) {

    Granted less(long back) {
      return new Granted(decision, nanos, permits - back);
    }
  }

  /** Knows each grant, and from the promise until when it counts. */
  private static final class Model {
    private final long quota;
    private final SlidingWindow limit;
    private final List<Granted> grants = new ArrayList<>();

    Model(long quota, SlidingWindow limit) {
      this.quota = quota;
      this.limit = limit;
    }

    long used(long nanos) {
      return grants.stream()
          .filter(grant -> countsUntil(grant) > nanos)
          .mapToLong(Granted::permits)
          .sum();
    }

    /** Returns the first instant at which so many permits fit, if no more are taken. */
    long fitsAt(long permits, long nanos) {
      return grants.stream()
          .mapToLong(this::countsUntil)
          .filter(end -> end > nanos && used(end) + permits <= quota)
          .min()
          .orElseThrow();
    }

    long unusedAt(long nanos) {
      return grants.stream().mapToLong(this::countsUntil).reduce(nanos, Math::max);
    }

    /** Those that would return soonest come first. */
    void reward(long permits, long nanos) {
      long left = permits;
      for (int i = 0; i < grants.size(); i++) {
        if (countsUntil(grants.get(i)) > nanos) {
          long back = Math.min(left, grants.get(i).permits());
          grants.set(i, grants.get(i).less(back));
          left -= back;
        }
      }
      grants.removeIf(grant -> grant.permits() == 0);
    }

    private long countsUntil(Granted grant) {
      long width = limit.subWindow().toNanos();
      return (grant.nanos() / width + limit.subWindows() + 1) * width;
    }
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 20_261_120, 0x5eed_f00d})
  void every_answer_is_the_models(long seed) {
    ModelTraces.each(TRACES, seed, LocalSlidingModelTest::follow);
  }

  private static void follow(SplittableRandom random, String trace) {
    ManualTime time = new ManualTime();
    long startNanos = time.nanoTime();
    long quota = 1 + random.nextLong(1L << random.nextInt(50));
    Duration length = Duration.ofNanos(1_000 * (60 + random.nextLong(10_000_000)));
    SlidingWindow limit = new SlidingWindow(quota, length, 1 + random.nextInt(60));
    int nodes = 1 + random.nextInt(3);
    Model model = new Model(Math.max(1, quota / nodes), limit);
    LocalLimitStore store =
        new LocalLimitStore(
            LocalOptions.sharedBy(NodeShare.of(nodes)).withTime(time, time::instant));
    Counter counter = new Counter("limit", limit, Subject.of("model"));
    boolean rewards = random.nextBoolean();
    for (int i = 0; i < OPERATIONS; i++) {
      String step = trace + ", step " + i + ": " + limit + " by " + nodes;
      long now = time.nanoTime() - startNanos;
      switch (random.nextInt(6)) {
        case 0 -> time.advance(Duration.ofNanos(random.nextLong(length.toNanos())));
        case 1 -> time.advance(toAnEdge(random, model, now));
        case 2 -> {
          if (rewards) {
            long permits = random.nextInt(8) == 0 ? Long.MAX_VALUE : 1 + random.nextLong(quota);
            AcquireRequests.adjust(store, new Adjustment.Reward(counter, permits));
            model.reward(permits, now);
          } else {
            refund(random, model, store);
          }
        }
        default -> {
          long permits = 1 + random.nextLong(1 + (model.quota >> random.nextInt(8)));
          decide(new Charge(counter, permits), model, store, now, step);
        }
      }
    }
    checkWindows(model, trace);
  }

  /** Just when the last grant no longer counts, or a moment before. */
  private static Duration toAnEdge(SplittableRandom random, Model model, long now) {
    return Duration.ofNanos(Math.max(0, model.unusedAt(now) - now - random.nextInt(2)));
  }

  private static void refund(SplittableRandom random, Model model, LocalLimitStore store) {
    if (!model.grants.isEmpty()) {
      Granted back = model.grants.remove(random.nextInt(model.grants.size()));
      AcquireRequests.refund(store, back.decision());
    }
  }

  private static void decide(
      Charge charge, Model model, LocalLimitStore store, long now, String step) {
    long permits = charge.permits();
    Retry expected = Retry.NEVER;
    if (permits <= model.quota) {
      expected =
          model.used(now) + permits <= model.quota
              ? Retry.NOW
              : new Retry.After(Duration.ofNanos(model.fitsAt(permits, now) - now));
    }
    Decision.Counted decision = AcquireRequests.decide(store, charge);
    if (decision.allowed()) {
      model.grants.add(new Granted(decision, now, permits));
    }
    Verdict verdict = decision.binding();
    assertThat(verdict.retry()).as(step).isEqualTo(expected);
    assertThat(verdict.remaining()).as(step).isEqualTo(model.quota - model.used(now));
    assertThat(verdict.resetAfter().toNanos()).as(step).isEqualTo(model.unusedAt(now) - now);
  }

  /**
   * What was neither given back nor rewarded: at most the quota in every window, wherever it
   * begins.
   */
  private static void checkWindows(Model model, String as) {
    for (Granted from : model.grants) {
      long end = from.nanos() + model.limit.length().toNanos();
      long sum =
          model.grants.stream()
              .filter(each -> each.nanos() >= from.nanos() && each.nanos() < end)
              .mapToLong(Granted::permits)
              .sum();
      assertThat(sum).as(as).isLessThanOrEqualTo(model.quota);
    }
  }
}
