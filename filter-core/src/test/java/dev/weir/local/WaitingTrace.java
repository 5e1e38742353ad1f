package dev.weir.local;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.fixture.AcquireRequests;
import dev.weir.fixture.ManualTime;
import dev.weir.limit.Limit;
import dev.weir.limit.Limit.Rate;
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

/**
 * A made-up trace over one counter in process: requests are let in to wait, leave, are rewarded,
 * settle with less or more, and the numbers change while they wait. Each answer is the model's.
 */
final class WaitingTrace {

  private static final int OPERATIONS = 200;

  /** A kind of limit that can be waited for, and what answers it exactly. */
  interface Kind {

    /** Throws an {@link IllegalArgumentException} where it could not be counted exactly. */
    Limit limit(Rate rate, long capacity);

    WaitingModel model(Limit limit, int nodes);
  }

  private record Granted(Decision.Counted decision, Limit limit, long permits, long stamp) {}

  private final SplittableRandom random;
  private final String name;
  private final ManualTime time = new ManualTime();
  private final List<Limit> limits;
  private final List<Granted> grants = new ArrayList<>();
  private final LocalLimitStore store;
  private final WaitingModel model;
  private Limit limit;
  private long hint = 1;

  WaitingTrace(SplittableRandom random, String name, Kind kind) {
    this.random = random;
    this.name = name;
    limits = anyLimits(kind, random);
    limit = limits.get(0);
    int nodes = random.nextInt(4) == 0 ? 1 + random.nextInt(9) : 1;
    store = LocalLimitStore.of(LocalOptions.of().withNodes(nodes).withTime(time, time::instant));
    model = kind.model(limit, nodes);
  }

  void follow() {
    for (int i = 0; i < OPERATIONS; i++) {
      pass();
      step(name + ", step " + i + ": " + limit);
    }
  }

  private void pass() {
    long permit = Math.max(1, limit.timeToFull().toNanos() / limit.capacity());
    long nanos =
        switch (random.nextInt(8)) {
          case 0 -> Math.min(hint, Duration.ofDays(100).toNanos());
          case 1 -> Math.max(0, Math.min(hint, Duration.ofDays(100).toNanos()) - 1);
          case 2 -> random.nextLong(permit + 1);
          case 3 -> random.nextLong(10 * permit + 1);
          case 4 -> random.nextLong(3);
          default -> 0;
        };
    time.advance(Duration.ofNanos(nanos));
    model.advance(nanos);
  }

  private void step(String step) {
    switch (random.nextInt(16)) {
      case 0 -> {
        AcquireRequests.adjust(store, new Adjustment.Reset(counter()));
        model.reset();
        grants.clear();
      }
      case 1, 2 -> {
        long permits = anyPermits();
        AcquireRequests.adjust(store, new Adjustment.Reward(counter(), permits));
        model.reward(permits);
      }
      case 3, 4 -> refund();
      case 5, 6 -> settle();
      case 7 -> {
        limit = limits.get(random.nextInt(limits.size()));
        decide(0, step);
      }
      case 8, 9 -> decide(0, step);
      default -> decide(anyPatience(), step);
    }
  }

  private Counter counter() {
    return new Counter("limit", limit, Subject.of("model"));
  }

  private void refund() {
    if (!grants.isEmpty()) {
      Granted back = anyGrant();
      AcquireRequests.refund(store, back.decision());
      model.refund(back.permits(), back.stamp(), back.permits());
    }
  }

  private void settle() {
    if (grants.isEmpty()) {
      return;
    }
    Granted granted = anyGrant();
    long spent =
        random.nextInt(8) == 0
            ? 1L << random.nextInt(40, 60)
            : random.nextLong(2 * granted.permits() + 1);
    AcquireRequests.adjust(store, new Adjustment.Reconcile(granted.decision().receipt(), spent));
    if (spent > granted.permits()) {
      limit = granted.limit();
      model.follow(limit);
      model.debit(spent - granted.permits());
    } else if (spent < granted.permits()) {
      model.refund(granted.permits() - spent, granted.stamp(), granted.permits());
    }
  }

  /** Most often the last. */
  private Granted anyGrant() {
    int age = random.nextInt(4) > 0 ? 0 : random.nextInt(grants.size());
    return grants.remove(grants.size() - 1 - age);
  }

  private void decide(long patience, String step) {
    model.follow(limit);
    long permits = anyPermits();
    Decision.Counted decision =
        AcquireRequests.within(store, Duration.ofNanos(patience), new Charge(counter(), permits));
    Verdict verdict = decision.binding();
    if (permits > limit.capacity()) {
      assertThat(verdict.retry()).as(step).isEqualTo(Retry.NEVER);
    } else {
      WaitingModel.Answer answer = model.decide(permits, patience);
      assertThat(verdict.retry()).as(step).isEqualTo(retry(answer));
      assertThat(decision.delay().toNanos()).as(step).isEqualTo(answer.delay());
      hint = Math.max(answer.retry(), answer.delay());
      if (decision.allowed()) {
        grants.add(new Granted(decision, limit, permits, answer.stamp()));
      }
    }
    assertThat(verdict.remaining()).as(step).isEqualTo(model.remaining());
    assertThat(verdict.resetAfter().toNanos()).as(step).isEqualTo(model.nanosUntilFull());
  }

  private static Retry retry(WaitingModel.Answer answer) {
    return answer.retry() == 0 ? Retry.NOW : new Retry.After(Duration.ofNanos(answer.retry()));
  }

  private long anyPermits() {
    return switch (random.nextInt(6)) {
      case 0 -> model.capacity();
      case 1, 2 -> 1;
      case 3 -> 1 + random.nextLong(limit.capacity());
      default -> 1 + random.nextLong(Math.min(limit.capacity(), 1 + model.capacity()));
    };
  }

  private long anyPatience() {
    long full = Math.min(limit.timeToFull().toNanos(), Duration.ofDays(100).toNanos());
    return random.nextInt(4) == 0 ? hint : random.nextLong(full + 1);
  }

  /** One, or the same one before and after changes. */
  private static List<Limit> anyLimits(Kind kind, SplittableRandom random) {
    List<Limit> limits = new ArrayList<>();
    int changes = random.nextInt(3);
    while (limits.size() <= changes) {
      try {
        limits.add(kind.limit(anyRate(random), 1 + random.nextLong(1L << random.nextInt(31))));
      } catch (IllegalArgumentException notExact) {
        // another one
      }
    }
    return limits;
  }

  private static Rate anyRate(SplittableRandom random) {
    return switch (random.nextInt(4)) {
      case 0 -> new Rate(1 + random.nextLong(10), Duration.ofDays(30));
      case 1 -> new Rate(10_000_000 - random.nextLong(3), Duration.ofSeconds(1));
      default ->
          new Rate(
              1 + random.nextLong(1L << random.nextInt(10)),
              Duration.ofNanos(1_000 * (1 + random.nextLong(1L << random.nextInt(11, 30)))));
    };
  }
}
