package dev.weir.internal.wait;

import dev.weir.internal.permit.Permits;
import dev.weir.internal.store.Scheduler;
import dev.weir.limit.Concurrency;
import dev.weir.store.AcquireRequest;
import dev.weir.store.AcquireRequest.Charge;
import dev.weir.store.AcquireRequest.Mode;
import dev.weir.store.Deadline;
import dev.weir.store.Decision;
import dev.weir.store.Decision.Retry;
import dev.weir.store.Decision.Verdict;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;

/**
 * Waits for windows, concurrency limits, or several counters at once: for these the store keeps no
 * queue. A request asks at once where nothing waits. A denied one joins a queue of this node. The
 * first of a queue asks again at its retry-after. Everything is charged when it can run, so that no
 * limit is charged early.
 *
 * <p>A request is denied at once when a counter denies that it does not wait for, when a counter
 * has room too late, or when more is queued before it than is ever granted in time. A request that
 * is not the first only peeks, so it never overtakes those before it, not even when its time is
 * over.
 *
 * <p>One request of a queue asks at a time. A request that leaves during its call completes at
 * once, but keeps its place until the call has ended and its permits have been refunded.
 */
final class QueuedWait<T> extends WaitingRequest<T> implements CounterQueues.Waiter {

  /**
   * Permits that are held elsewhere may return at any time, so they are asked for this often,
   * whenever their return is expected.
   */
  private static final Duration ASK_FOR_HELD = Duration.ofMillis(100);

  /** How soon after its time a request must begin its last call. */
  private static final Duration LAST_ASK = Duration.ofMillis(10);

  private static final Duration SOONEST = Duration.ofNanos(1_000);

  private final List<Charge> waitedFor;
  private Scheduler.Pending next = Scheduler.Pending.NONE;
  private Scheduler.Pending end = Scheduler.Pending.NONE;

  /** The last denial: its result if its time is over before its turn. */
  private volatile Decision denial = Decision.closed(WaitQueues.SOON);

  private boolean isAsking;
  private boolean isToAskAgain;

  /**
   * @param waitedFor those of the request's charges that are worth waiting for
   */
  QueuedWait(
      WaitQueues waitQueues,
      AcquireRequest request,
      List<Charge> waitedFor,
      Duration maxWait,
      Function<Permits, T> form) {
    super(waitQueues, request, maxWait, form);
    this.waitedFor = waitedFor;
  }

  @Override
  public List<Charge> waitedFor() {
    return waitedFor;
  }

  @Override
  void arrive() {
    long[] ahead = queues().ahead(waitedFor);
    if (ahead.length == 0) {
      askOrWait(request());
    } else {
      look(ahead);
    }
  }

  /**
   * Peeks: it cannot run sooner than it could without a queue. A peek ignores token leases:
   * requests before it have the first claim on them.
   */
  private void look(long[] ahead) {
    Decision look = permitManager().decide(request().in(Mode.PEEK)).decision();
    denial = look;
    Optional<Duration> retry = look.allowed() ? Optional.of(Duration.ZERO) : retry(look);
    if (retry.isEmpty() || look instanceof Decision.ByPolicy) {
      answer(Permits.of(look));
    } else if (left().isZero() || isHopeless(ahead)) {
      answer(Permits.of(heldUp(look, left())));
    } else {
      enqueue(retry.get());
    }
  }

  private boolean isHopeless(long[] ahead) {
    Duration left = left();
    for (int i = 0; i < waitedFor.size(); i++) {
      Charge own = waitedFor.get(i);
      if (ahead[i] > CounterQueues.mostGranted(own.counter().limit(), left) - own.permits()) {
        return true;
      }
    }
    return false;
  }

  private void enqueue(Duration retry) {
    boolean isFirst = queues().join(this);
    endIn(left(), this::expire);
    if (isFirst) {
      askIn(retry);
    }
    if (isOver()) {
      leave();
    }
  }

  private void askOrWait(AcquireRequest request) {
    Permits permits = permitManager().decide(request);
    Optional<Duration> retry =
        permits.decision().allowed() ? Optional.empty() : retry(permits.decision());
    if (retry.isPresent()) {
      denial = permits.decision();
      wait(retry.get());
      return;
    }
    if (!permits.isEmpty()) {
      permits.whenClosed(() -> queues().returned(waitedFor));
    }
    answer(permits);
  }

  private void wait(Duration retry) {
    if (queues().isFirst(this)) {
      askIn(retry);
    } else {
      enqueue(retry);
    }
  }

  /** Asks the store. If a call is under way, asks again after it. */
  @Override
  public void turn() {
    if (isOver()) {
      leave(); // dependents of the future may take long, and it would leave only after them
      return;
    }
    if (!mayAsk()) {
      return;
    }
    guarded(() -> askOrWait(again()));
    boolean hasToAskAgain = hasToAskAgain();
    if (isOver()) {
      makeWay();
    } else if (hasToAskAgain) {
      queues().askSoon(this::turn);
    }
  }

  private synchronized boolean mayAsk() {
    isToAskAgain = isAsking;
    boolean may = !isAsking;
    isAsking = true;
    return may;
  }

  private synchronized boolean hasToAskAgain() {
    isAsking = false;
    return isToAskAgain;
  }

  /** Its time is over: the first of a queue asks once more, any other leaves. */
  private void expire() {
    if (queues().isFirst(this)) {
      endIn(LAST_ASK, this::deny);
      queues().askSoon(this::turn);
    } else {
      deny();
    }
  }

  /** Denies without a call, unless one is under way. */
  private void deny() {
    if (!isOver() && !isAsking()) {
      guarded(() -> answer(Permits.of(heldUp(denial, SOONEST))));
    }
  }

  /** Returns when to ask again; empty when waiting is useless. */
  private Optional<Duration> retry(Decision denial) {
    if (!(denial instanceof Decision.Counted counted)) {
      return Optional.empty();
    }
    Duration left = left();
    Duration longest = Duration.ZERO;
    for (Verdict verdict : counted.verdicts()) {
      if (verdict.fits()) {
        continue;
      }
      Optional<Duration> retry = isWaitedFor(verdict) ? retry(verdict, left) : Optional.empty();
      if (retry.isEmpty()) {
        return retry;
      }
      longest = longest.compareTo(retry.get()) > 0 ? longest : retry.get();
    }
    return Optional.of(longest);
  }

  private static Optional<Duration> retry(Verdict verdict, Duration left) {
    if (!(verdict.retry() instanceof Retry.After after)) {
      return Optional.empty();
    }
    if (verdict.counter().limit() instanceof Concurrency limit
        && after.nanos() <= limit.ttl().toNanos() // else it is a block
        && !left.isZero()) {
      return Optional.of(ASK_FOR_HELD.compareTo(left) < 0 ? ASK_FOR_HELD : left);
    }
    return Optional.of(after.time()).filter(time -> time.compareTo(left) <= 0);
  }

  private boolean isWaitedFor(Verdict verdict) {
    return waitedFor.stream().anyMatch(charge -> charge.counter().isSameAs(verdict.counter()));
  }

  /**
   * Returns a denial: what the counters have is for the requests before, for at least this time.
   */
  private Decision heldUp(Decision look, Duration time) {
    if (!(look instanceof Decision.Counted counted)) {
      return look;
    }
    Retry later = new Retry.After(time.compareTo(SOONEST) > 0 ? time : SOONEST);
    List<Verdict> verdicts =
        counted.verdicts().stream()
            .map(one -> isWaitedFor(one) && isSooner(one, time) ? one.withRetry(later) : one)
            .toList();
    return Decision.counted(look.source(), verdicts, counted.receipt());
  }

  private static boolean isSooner(Verdict verdict, Duration time) {
    return verdict.fits()
        || (verdict.retry() instanceof Retry.After after && after.time().compareTo(time) < 0);
  }

  private AcquireRequest again() {
    Deadline deadline = Deadline.after(permitManager().deadline());
    AcquireRequest request = request();
    return new AcquireRequest(request.charges(), request.mode(), request.onOutage(), deadline);
  }

  private synchronized void askIn(Duration time) {
    next.cancel();
    next = isOver() ? Scheduler.Pending.NONE : queues().askIn(time, this::turn);
  }

  private synchronized void endIn(Duration time, Runnable task) {
    end = isOver() ? Scheduler.Pending.NONE : queues().answerIn(time, task);
  }

  private synchronized boolean isAsking() {
    return isAsking;
  }

  /** During a call it keeps its place: the next request would be denied what is refunded. */
  @Override
  void leave() {
    if (isAsking()) {
      cancel();
    } else {
      makeWay();
    }
  }

  @Override
  void makeWay() {
    cancel();
    queues().leave(this);
  }

  private synchronized void cancel() {
    next.cancel();
    end.cancel();
  }

  /** Notifies the first of the queue, which may have been denied just that. */
  @Override
  void refund(Permits unused) {
    super.refund(unused);
    if (unused.decision().allowed()) {
      queues().returned(waitedFor);
    }
  }
}
