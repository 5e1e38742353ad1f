package dev.weir.redis;

import dev.weir.fixture.AcquireRequests;
import dev.weir.limit.Concurrency;
import dev.weir.limit.Limit;
import dev.weir.limit.TokenBucket;
import dev.weir.store.AcquireRequest.Charge;
import dev.weir.store.Adjustment;
import dev.weir.store.Counter;
import dev.weir.store.Decision;
import dev.weir.store.Decision.Receipt;
import dev.weir.store.Decision.Verdict;
import dev.weir.store.LimitStore;
import dev.weir.store.Subject;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * A made-up trace through a whole store: decisions in all modes, over one counter or two at once,
 * and adjustments, over three subjects of its own. Each answer is the exact model's, in
 * microseconds, rounded up.
 */
final class StoreTrace<M extends LimitModel<M>> {

  private static final int SUBJECTS = 3;

  /** A grant of the store, with the values by which the model knows it. */
  private record Granted(int subject, Receipt receipt, Limit limit, long permits, long stamp) {}

  private final LimitStore store;
  private final TraceTime time;
  private final SplittableRandom random;
  private final List<Limit> limits;
  private final boolean isLocal;
  private final String name;
  private final List<ModelRun<M>> runs = new ArrayList<>();
  private final List<Granted> grants = new ArrayList<>();
  private final long[] blockedUntil = new long[SUBJECTS];
  private final Map<Integer, Limit> numbers = new HashMap<>();
  private Limit limit;
  private long hint;

  /**
   * @param name of the trace, for messages and subjects
   * @param isLocal whether the store refunds late permits only in whole ones
   */
  StoreTrace(
      LimitStore store,
      TraceTime time,
      Traces<M> traces,
      List<Limit> limits,
      boolean isLocal,
      String name,
      long seed) {
    this.store = store;
    this.time = time;
    this.limits = limits;
    this.isLocal = isLocal;
    this.name = name;
    random = new SplittableRandom(seed);
    limit = limits.get(0);
    for (int i = 0; i < SUBJECTS; i++) {
      runs.add(new ModelRun<>(Objects.requireNonNull(traces.none())));
    }
  }

  void follow(int operations) {
    for (int i = 0; i < operations; i++) {
      limit = limits.get(random.nextInt(limits.size()));
      // a permit is named by its time in the model, and no two have one name
      time.advance(Math.max(limit instanceof Concurrency ? 1 : 0, anyTime()));
      hint = 0;
      step(random.nextInt(SUBJECTS));
    }
  }

  private void step(int subject) {
    switch (random.nextInt(20)) {
      case 0 -> reset(subject);
      case 1 -> block(subject);
      case 2 -> reward(subject);
      case 3, 4 -> refund();
      case 5, 6 -> reconcile();
      case 7 -> renew();
      case 8, 9 -> upTo(subject);
      case 10 -> peek(subject);
      case 11, 12, 13 -> within(subject);
      case 14, 15 -> both(subject, (subject + 1) % SUBJECTS);
      case 16 -> unblock(subject);
      default -> exactly(subject);
    }
  }

  private long anyTime() {
    long full = TimeUnit.MICROSECONDS.convert(limit.timeToFull());
    return switch (random.nextInt(8)) {
      case 0, 1 -> Math.min(hint, 2 * full);
      case 2 -> Math.max(0, Math.min(hint, 2 * full) - 1);
      case 3 -> random.nextLong(full + 1);
      case 4, 5 -> random.nextLong(full / Math.min(limit.capacity(), 1_000) + 2);
      default -> random.nextLong(3);
    };
  }

  private long anyPermits() {
    return switch (random.nextInt(8)) {
      case 0 -> limit.capacity();
      case 1 -> limit.capacity() + 1;
      case 2, 3 -> 1;
      default -> 1 + random.nextLong(limit.capacity());
    };
  }

  private Counter counter(int subject) {
    return new Counter("traced", limit, Subject.of("user", name + "-" + subject));
  }

  private Step.Decide step(long permits, long patience) {
    return new Step.Decide(time.micros(), false, limit, permits, patience);
  }

  /**
   * Follows a change of numbers. The local store counts by the numbers of the last request or
   * debit, and converts its state to the next ones; other stores bring their own.
   */
  private void follow(int subject, Limit next) {
    if (isLocal) {
      runs.get(subject).follow(numbers(subject, next), time.micros());
      runs.get(subject).follow(next, time.micros());
      numbers.put(subject, next);
    }
  }

  private Limit numbers(int subject, Limit others) {
    return numbers.getOrDefault(subject, others);
  }

  private void exactly(int subject) {
    follow(subject, limit);
    long permits = anyPermits();
    Decision.Counted decision =
        AcquireRequests.decide(store, new Charge(counter(subject), permits));
    Step.Reply reply = runs.get(subject).decide(step(permits, 0));
    check(decision.binding(), reply, decision);
    granted(subject, decision, 0, permits, reply);
  }

  private void within(int subject) {
    follow(subject, limit);
    boolean blocked = blockedUntil[subject] > time.micros();
    long full = TimeUnit.MICROSECONDS.convert(limit.timeToFull());
    long patience = blocked ? 0 : random.nextLong(full + 1);
    long permits = anyPermits();
    Decision.Counted decision =
        AcquireRequests.within(
            store, VerdictCheck.micros(patience), new Charge(counter(subject), permits));
    boolean waits = limit.algorithm().isReservable();
    Step.Reply reply = runs.get(subject).decide(step(permits, waits ? patience : 0));
    check(decision.binding(), isLocal ? atOnce(subject, reply) : reply, decision);
    require(
        reply.fits() != 1 || VerdictCheck.ceilMicros(decision.delay()) == reply.retry(),
        decision,
        reply);
    granted(subject, decision, 0, permits, reply);
  }

  /** Adapts the reply: the local store reports how many may run now, whatever the patience. */
  private Step.Reply atOnce(int subject, Step.Reply reply) {
    long there = runs.get(subject).refresh(step(0, 0)).remaining();
    return new Step.Reply(reply.fits(), there, reply.retry(), reply.reset(), reply.stamp(), 0, "");
  }

  private void upTo(int subject) {
    follow(subject, limit);
    long requested = anyPermits();
    Decision.Counted decision =
        AcquireRequests.upTo(store, new Charge(counter(subject), requested));
    long there = runs.get(subject).refresh(step(0, 0)).remaining();
    long permits = Math.max(1, Math.min(requested, there));
    Step.Reply reply = runs.get(subject).decide(step(permits, 0));
    check(decision.binding(), reply, decision);
    require(
        reply.fits() != 1 || decision.receipt().grants().get(0).charge().permits() == permits,
        decision,
        reply);
    granted(subject, decision, 0, permits, reply);
  }

  private void peek(int subject) {
    follow(subject, limit);
    long permits = anyPermits();
    Decision.Counted decision = AcquireRequests.peek(store, new Charge(counter(subject), permits));
    Step.Reply reply = uncharged(subject, permits);
    check(decision.binding(), reply, decision);
    require(decision.receipt().grants().isEmpty(), decision, reply);
  }

  private Step.Reply uncharged(int subject, long permits) {
    Step.Reply requested = runs.get(subject).refresh(step(permits, 0));
    return requested.fits() == 1 ? runs.get(subject).refresh(step(0, 0)) : requested;
  }

  /** Decides over both: all or none. */
  private void both(int one, int other) {
    follow(one, limit);
    follow(other, limit);
    long permits = anyPermits();
    Decision.Counted decision =
        AcquireRequests.decide(
            store, new Charge(counter(one), permits), new Charge(counter(other), permits));
    boolean fit =
        runs.get(one).refresh(step(permits, 0)).fits() == 1
            && runs.get(other).refresh(step(permits, 0)).fits() == 1;
    int at = 0;
    for (int subject : new int[] {one, other}) {
      Step.Reply reply =
          fit ? runs.get(subject).decide(step(permits, 0)) : uncharged(subject, permits);
      check(decision.verdicts().get(at), reply, decision);
      if (fit) {
        granted(subject, decision, at, permits, reply);
      }
      at++;
    }
    require(decision.allowed() == fit, decision, null);
  }

  private void granted(
      int subject, Decision.Counted decision, int at, long permits, Step.Reply reply) {
    hint = Math.max(hint, reply.retry() > 0 ? reply.retry() : reply.reset());
    if (decision.allowed()) {
      Receipt.Grant grant = decision.receipt().grants().get(at);
      Receipt receipt = new Receipt(decision.receipt().source(), List.of(grant));
      grants.add(new Granted(subject, receipt, limit, permits, reply.stamp()));
    }
  }

  private void check(Verdict verdict, Step.Reply reply, Decision.Counted decision) {
    require(VerdictCheck.agrees(verdict, reply), decision, reply);
  }

  private void require(boolean kept, Decision.Counted decision, Step.@Nullable Reply reply) {
    if (!kept) {
      throw new AssertionError(
          "%s by %s at %d: %s%n  expected %s"
              .formatted(name, limit, time.micros(), decision, reply));
    }
  }

  private @Nullable Granted anyGrant() {
    if (grants.isEmpty()) {
      return null;
    }
    int age = random.nextInt(Math.min(4, grants.size()));
    Granted granted = grants.remove(grants.size() - 1 - age);
    boolean isLate = granted.stamp() <= time.micros() && granted.limit() instanceof TokenBucket;
    return isLocal && isLate ? null : granted;
  }

  private void refund() {
    Granted granted = anyGrant();
    if (granted != null) {
      AcquireRequests.adjust(store, new Adjustment.Refund(granted.receipt()));
      refund(granted, granted.permits());
    }
  }

  private void refund(Granted granted, long unspent) {
    long now = time.micros();
    Limit by = numbers(granted.subject(), granted.limit());
    runs.get(granted.subject())
        .refund(new Step.Refund(now, false, by, unspent, granted.stamp(), granted.permits()));
  }

  /** Reconciles some of a grant, all, or more. */
  private void reconcile() {
    Granted granted = anyGrant();
    if (granted == null || granted.limit() instanceof Concurrency) {
      return;
    }
    long spent = random.nextLong(granted.permits() + Math.min(granted.permits(), 1_000) + 1);
    AcquireRequests.adjust(store, new Adjustment.Reconcile(granted.receipt(), spent));
    long more = spent - granted.permits();
    if (more > 0) {
      follow(granted.subject(), granted.limit());
      runs.get(granted.subject()).owe(new Step.Owe(time.micros(), false, granted.limit(), more));
    } else if (more < 0) {
      refund(granted, -more);
    }
  }

  private void renew() {
    if (grants.isEmpty() || !(limit instanceof Concurrency)) {
      return;
    }
    Granted granted = grants.get(grants.size() - 1 - random.nextInt(Math.min(4, grants.size())));
    boolean renewed =
        AcquireRequests.adjust(store, new Adjustment.Renew(granted.receipt())).isEmpty();
    ModelRun<M> run = runs.get(granted.subject());
    Step.Renew step = new Step.Renew(time.micros(), false, granted.limit(), granted.stamp());
    boolean held = run.model().renew(step).isPresent();
    run.renew(step);
    if (renewed != held) {
      throw new AssertionError(name + ": renewed " + renewed + " (expected: " + held + ")");
    }
  }

  /**
   * Rewards permits. The local store counts what holds newcomers back in whole permits, and may
   * hold them back a little longer than the model. So it skips the reward while a request waits,
   * for which the local store has a model of its own.
   */
  private void reward(int subject) {
    boolean isAwaited =
        runs.get(subject).model() instanceof BucketModel bucket && bucket.last() > time.micros();
    if (isLocal && isAwaited) {
      return;
    }
    long permits = 1 + random.nextLong(limit.capacity());
    AcquireRequests.adjust(store, new Adjustment.Reward(counter(subject), permits));
    Limit by = numbers(subject, limit);
    runs.get(subject).reward(new Step.Reward(time.micros(), false, by, permits));
  }

  private void reset(int subject) {
    AcquireRequests.adjust(store, new Adjustment.Reset(counter(subject)));
    runs.get(subject).lose();
    blockedUntil[subject] = 0;
    grants.removeIf(granted -> granted.subject() == subject);
  }

  private void block(int subject) {
    follow(subject, limit);
    long full = TimeUnit.MICROSECONDS.convert(limit.timeToFull());
    long length = 1 + random.nextLong(Math.min(full, BlockModel.LONGEST));
    AcquireRequests.adjust(
        store, new Adjustment.Block(counter(subject), VerdictCheck.micros(length)));
    runs.get(subject).block(new Step.Block(time.micros(), false, length));
    blockedUntil[subject] = Math.max(blockedUntil[subject], time.micros() + length);
  }

  private void unblock(int subject) {
    AcquireRequests.adjust(store, new Adjustment.Unblock(counter(subject)));
    Limit by = numbers(subject, limit);
    runs.get(subject).unblock(new Step.Unblock(time.micros(), false, by));
    blockedUntil[subject] = 0;
  }
}
