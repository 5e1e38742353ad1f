package dev.weir.local;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.fixture.AcquireRequests;
import dev.weir.fixture.ManualTime;
import dev.weir.limit.SlidingWindow;
import dev.weir.store.AcquireRequest.Charge;
import dev.weir.store.Adjustment;
import dev.weir.store.Counter;
import dev.weir.store.Decision;
import dev.weir.store.Decision.Retry;
import dev.weir.store.Decision.Verdict;
import dev.weir.store.Subject;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.function.Predicate;
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

  /** So many permits that count, from this sub-window on. */
  private record Counted(long number, long permits) {}

  /** Counts by sub-window, and goes through all of them one after the other. */
  private static final class Model {
    private final long quota;
    private final SlidingWindow limit;
    private final PromiseModel promise = new PromiseModel();

    /** What was granted and not refunded. */
    private final List<Granted> grants = new ArrayList<>();

    private List<Counted> counted = new ArrayList<>();
    private long number;
    private long owed;
    private long debtor = Long.MIN_VALUE;
    private long lastTaken = Long.MIN_VALUE;

    Model(long quota, SlidingWindow limit) {
      this.quota = quota;
      this.limit = limit;
    }

    private Model copy() {
      Model copy = new Model(quota, limit);
      copy.counted = new ArrayList<>(counted);
      copy.number = number;
      copy.owed = owed;
      copy.lastTaken = lastTaken;
      return copy;
    }

    void at(long nanos) {
      long now = nanos / width();
      while (number < now && used() > 0) {
        next();
      }
      number = now;
    }

    private long width() {
      return limit.subWindow().toNanos();
    }

    private long countedFor() {
      return limit.subWindows() + 1L;
    }

    /** Enters the next sub-window. What expires makes room for what is owed. */
    private void next() {
      number++;
      counted.removeIf(each -> each.number() + countedFor() <= number);
      charge();
    }

    private void charge() {
      long charged = Math.min(owed, quota - sum());
      if (charged > 0) {
        owed -= charged;
        counted.add(new Counted(number, charged));
      }
    }

    private long sum() {
      return counted.stream().mapToLong(Counted::permits).sum();
    }

    long used() {
      return sum() + owed;
    }

    /** Returns how long a request waits, if no more are taken. */
    long wait(long permits, long nanos) {
      if (permits <= quota) {
        return until(nanos, later -> later.used() + permits <= quota);
      }
      long wait = until(nanos, Model::isFree);
      return promise.wait(wait, until(nanos, later -> later.used() <= quota), nanos);
    }

    private boolean isFree() {
      return used() == 0 || (used() < quota && number >= lastTaken + countedFor());
    }

    long unused(long nanos) {
      return until(nanos, later -> later.used() == 0);
    }

    private long until(long nanos, Predicate<Model> isTrue) {
      Model later = copy();
      if (isTrue.test(later)) {
        return 0;
      }
      while (!isTrue.test(later)) {
        later.next();
      }
      return later.number * width() - nanos;
    }

    void grant(long permits) {
      long fits = Math.min(permits, quota - sum());
      counted.add(new Counted(number, fits));
      lastTaken = number;
      if (permits > fits) {
        owed = permits - fits;
        debtor = number;
        promise.passed();
      }
    }

    /** What is owed by requests of the same sub-window goes first. */
    void refund(Granted back) {
      long number = back.nanos() / width();
      long left = number == debtor ? forgive(back.permits()) : back.permits();
      for (int i = 0; i < counted.size(); i++) {
        if (counted.get(i).number() == number) {
          left = reduce(i, left);
        }
      }
      charge();
    }

    private long forgive(long permits) {
      long forgiven = Math.min(permits, owed);
      owed -= forgiven;
      return permits - forgiven;
    }

    private long reduce(int i, long permits) {
      Counted each = counted.get(i);
      long back = Math.min(permits, each.permits());
      counted.set(i, new Counted(each.number(), each.permits() - back));
      return permits - back;
    }

    /** What is owed goes first, and then what would return soonest. */
    void reward(long permits, long nanos) {
      rewardGrants(permits, nanos);
      long left = forgive(permits);
      for (int i = 0; i < counted.size(); i++) {
        left = reduce(i, left);
      }
    }

    private void rewardGrants(long permits, long nanos) {
      long left = permits;
      for (int i = 0; i < grants.size(); i++) {
        if ((grants.get(i).nanos() / width() + countedFor()) * width() > nanos) {
          long back = Math.min(left, grants.get(i).permits());
          grants.set(i, grants.get(i).less(back));
          left -= back;
        }
      }
      grants.removeIf(grant -> grant.permits() == 0);
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
        LocalLimitStore.of(LocalOptions.of().withNodes(nodes).withTime(time, time::instant));
    Counter counter = new Counter("limit", limit, Subject.of("model"));
    boolean rewards = random.nextBoolean();
    boolean dear = random.nextBoolean();
    for (int i = 0; i < OPERATIONS; i++) {
      String step = trace + ", step " + i + ": " + limit + " by " + nodes;
      long now = time.nanoTime() - startNanos;
      model.at(now);
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
          long permits =
              dear && random.nextInt(4) == 0
                  ? 1 + random.nextLong(quota)
                  : 1 + random.nextLong(1 + (model.quota >> random.nextInt(8)));
          decide(new Charge(counter, permits), model, store, now, step);
        }
      }
    }
    if (model.debtor == Long.MIN_VALUE) {
      checkWindows(model, trace);
    }
  }

  /** Just when the last grant no longer counts, or a moment before. */
  private static Duration toAnEdge(SplittableRandom random, Model model, long now) {
    return Duration.ofNanos(Math.max(0, model.unused(now) - random.nextInt(2)));
  }

  private static void refund(SplittableRandom random, Model model, LocalLimitStore store) {
    if (!model.grants.isEmpty()) {
      Granted back = model.grants.remove(random.nextInt(model.grants.size()));
      AcquireRequests.refund(store, back.decision());
      model.refund(back);
    }
  }

  private static void decide(
      Charge charge, Model model, LocalLimitStore store, long now, String step) {
    long permits = charge.permits();
    Retry expected = Retry.NEVER;
    long wait = model.wait(permits, now);
    SlidingWindow limit = model.limit;
    if (permits <= limit.quota()) {
      expected = wait == 0 ? Retry.NOW : new Retry.After(Duration.ofNanos(wait));
      if (wait > 0 && permits > model.quota) {
        model.promise.denied(wait, limit.timeToFull().toNanos(), now);
      }
    }
    Decision.Counted decision = AcquireRequests.decide(store, charge);
    if (decision.allowed()) {
      model.grant(permits);
      model.grants.add(new Granted(decision, now, permits));
    }
    Verdict verdict = decision.binding();
    assertThat(verdict.retry()).as(step).isEqualTo(expected);
    assertThat(verdict.remaining()).as(step).isEqualTo(Math.max(0, model.quota - model.used()));
    assertThat(verdict.resetAfter().toNanos()).as(step).isEqualTo(model.unused(now));
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
