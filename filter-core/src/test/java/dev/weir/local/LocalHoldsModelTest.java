package dev.weir.local;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.fixture.AcquireRequests;
import dev.weir.fixture.ManualTime;
import dev.weir.limit.Concurrency;
import dev.weir.limit.Limit;
import dev.weir.store.AcquireRequest.Charge;
import dev.weir.store.Counter;
import dev.weir.store.Decision;
import dev.weir.store.Decision.Retry;
import dev.weir.store.Decision.Verdict;
import dev.weir.store.Subject;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The local concurrency limit against a list of all that it has granted. */
class LocalHoldsModelTest {

  private static final int TRACES = 300;
  private static final int OPERATIONS = 200;

  private static final class Granted {
    private final Decision.Counted decision;
    private final long permits;
    private long endNanos;

    Granted(Decision.Counted decision, long permits, long endNanos) {
      this.decision = decision;
      this.permits = permits;
      this.endNanos = endNanos;
    }
  }

  /** Knows each grant, and from the promise until when it is held; 0 once it is released. */
  private static final class Model {
    private final long capacity;
    private final List<Granted> grants = new ArrayList<>();
    private final PromiseModel promise = new PromiseModel();

    Model(long capacity) {
      this.capacity = capacity;
    }

    long held(long nanos) {
      return grants.stream()
          .filter(grant -> grant.endNanos > nanos)
          .mapToLong(grant -> grant.permits)
          .sum();
    }

    /**
     * Returns how long a request waits, if none are released. One beyond the share has a promise.
     */
    long wait(long permits, long nanos) {
      return permits <= capacity
          ? untilHeld(capacity - permits, nanos)
          : promise.wait(untilHeld(0, nanos), untilHeld(capacity, nanos), nanos);
    }

    private long untilHeld(long most, long nanos) {
      return held(nanos) <= most
          ? 0
          : grants.stream()
                  .mapToLong(grant -> grant.endNanos)
                  .filter(end -> end > nanos && held(end) <= most)
                  .min()
                  .orElseThrow()
              - nanos;
    }

    long unheldAt(long nanos) {
      return grants.stream().mapToLong(grant -> grant.endNanos).reduce(nanos, Math::max);
    }
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 20_261_121, 0x5eed_f00d})
  void every_answer_is_the_models(long seed) {
    ModelTraces.each(TRACES, seed, LocalHoldsModelTest::follow);
  }

  private static void follow(SplittableRandom random, String trace) {
    ManualTime time = new ManualTime();
    Duration lease = Duration.ofSeconds(1 + random.nextLong(100));
    Concurrency limit = new Concurrency(1 + random.nextLong(1L << random.nextInt(10)), lease);
    int nodes = 1 + random.nextInt(3);
    Model model = new Model(Math.max(1, limit.permits() / nodes));
    LocalLimitStore store =
        LocalLimitStore.of(LocalOptions.of().withNodes(nodes).withTime(time, time::instant));
    Counter counter = new Counter("limit", limit, Subject.of("model"));
    for (int i = 0; i < OPERATIONS; i++) {
      String step = trace + ", step " + i + ": " + limit + " by " + nodes;
      long now = time.nanoTime();
      switch (random.nextInt(8)) {
        case 0 -> time.advance(Duration.ofNanos(random.nextLong(lease.toNanos())));
        case 1 -> time.advance(toAnEdge(random, model, now));
        case 2 -> release(random, model, store);
        case 3, 4 -> renew(random, model, store, now, step);
        default -> {
          long permits =
              random.nextInt(6) == 0
                  ? 1 + random.nextLong(limit.permits())
                  : 1 + random.nextLong(1 + (model.capacity >> random.nextInt(8)));
          decide(new Charge(counter, permits), model, store, now, step);
        }
      }
    }
  }

  /** Just when the last lease ends, or a moment before. */
  private static Duration toAnEdge(SplittableRandom random, Model model, long now) {
    return Duration.ofNanos(Math.max(0, model.unheldAt(now) - now - random.nextInt(2)));
  }

  /** Any that ever was, in time, late or once more. */
  private static void release(SplittableRandom random, Model model, LocalLimitStore store) {
    if (!model.grants.isEmpty()) {
      Granted back = model.grants.get(random.nextInt(model.grants.size()));
      AcquireRequests.refund(store, back.decision);
      back.endNanos = Long.MIN_VALUE;
    }
  }

  private static void renew(
      SplittableRandom random, Model model, LocalLimitStore store, long now, String step) {
    if (model.grants.isEmpty()) {
      return;
    }
    int age = random.nextInt(Math.min(5, model.grants.size()));
    Granted granted = model.grants.get(model.grants.size() - 1 - age);
    boolean held = granted.endNanos > now;
    assertThat(AcquireRequests.renew(store, granted.decision)).as(step).isEqualTo(held);
    if (held) {
      granted.endNanos = now + leaseNanos(granted.decision.binding().counter().limit());
    }
  }

  private static void decide(
      Charge charge, Model model, LocalLimitStore store, long now, String step) {
    long permits = charge.permits();
    Retry expected = Retry.NEVER;
    long wait = model.wait(permits, now);
    long ttl = leaseNanos(charge.counter().limit());
    boolean isDear = permits > model.capacity;
    if (permits <= charge.counter().limit().capacity()) {
      expected = wait == 0 ? Retry.NOW : new Retry.After(Duration.ofNanos(wait));
      if (isDear && wait > 0) {
        model.promise.denied(wait, ttl, now);
      } else if (isDear) {
        model.promise.passed();
      }
    }
    Decision.Counted decision = AcquireRequests.decide(store, charge);
    if (decision.allowed()) {
      model.grants.add(
          new Granted(decision, permits, now + leaseNanos(decision.binding().counter().limit())));
    }
    Verdict verdict = decision.binding();
    assertThat(verdict.retry()).as(step).isEqualTo(expected);
    assertThat(verdict.remaining())
        .as(step)
        .isEqualTo(Math.max(0, model.capacity - model.held(now)));
    assertThat(verdict.resetAfter().toNanos()).as(step).isEqualTo(model.unheldAt(now) - now);
  }

  private static long leaseNanos(Limit limit) {
    return limit.timeToFull().toNanos();
  }
}
