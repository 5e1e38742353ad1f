package dev.weir.internal.wait;

import dev.weir.internal.permit.Permits;
import dev.weir.internal.store.Scheduler;
import dev.weir.limit.Concurrency;
import dev.weir.store.AcquireRequest;
import dev.weir.store.AcquireRequest.Charge;
import dev.weir.store.Deadline;
import dev.weir.store.Decision;
import dev.weir.store.Decision.Retry;
import dev.weir.store.Decision.Verdict;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;

/**
 * Waits in a queue of this node, where the store keeps none. A request calls the store at once
 * where nothing waits. A denied one joins the queue. The first of a queue calls again at its
 * retry-after.
 *
 * <p>A request that is not the first only peeks, so it never overtakes those before it, not even
 * when its time is over.
 *
 * <p>One request of a queue calls at a time. A request that leaves during its call completes at
 * once, but keeps its place until the call has ended and its permits have been refunded.
 */
final class QueuedWait<T> extends WaitingRequest<T> implements CounterQueues.Waiter {

  /**
   * Permits that are held elsewhere may return at any time, so they are requested this often,
   * whenever their return is expected.
   */
  private static final Duration HELD_RETRY = Duration.ofMillis(100);

  /** How soon after its time a request must begin its last call. */
  private static final Duration LAST_REQUEST = Duration.ofMillis(10);

  private static final Duration SOONEST = Duration.ofNanos(1_000);

  /** Those of the request's charges that are worth waiting for. */
  private final List<Charge> waitedFor;

  private Scheduler.Pending next = Scheduler.Pending.NONE;
  private Scheduler.Pending end = Scheduler.Pending.NONE;

  /** The last denial: its result if its time is over before its turn. */
  private volatile Decision denial = Decision.failClosed(WaitQueues.SOON);

  private boolean isRequesting;
  private boolean isRequestDue;

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
      requestOrWait(request);
    } else {
      peek(ahead);
    }
  }

  /**
   * Peeks: it cannot run sooner than it could without a queue. A peek ignores token leases:
   * requests before it have the first claim on them.
   */
  private void peek(long[] ahead) {
    Decision peeked = permitManager().decide(request.in(AcquireRequest.Mode.PEEK)).decision();
    denial = peeked;
    Optional<Duration> retry = retry(peeked);
    if (retry.isEmpty()) {
      complete(Permits.of(peeked));
    } else if (left().isZero() || isHopeless(ahead)) {
      complete(Permits.of(heldUp(peeked, left())));
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
      requestIn(retry);
    }
    if (isOver()) {
      leave();
    }
  }

  private void requestOrWait(AcquireRequest request) {
    Permits permits = permitManager().decide(request);
    Optional<Duration> retry =
        permits.decision().allowed() ? Optional.empty() : retry(permits.decision());
    if (retry.isPresent()) {
      denial = permits.decision();
      if (queues().isFirst(this)) {
        requestIn(retry.get());
      } else {
        enqueue(retry.get());
      }
      return;
    }
    if (!permits.isEmpty()) {
      permits.whenClosed(() -> queues().returned(waitedFor));
    }
    complete(permits);
  }

  /** Calls the store. If a call is under way, calls again after it. */
  @Override
  public void turn() {
    if (isOver()) {
      leave(); // dependents of the future may take long, and it would leave only after them
      return;
    }
    synchronized (this) {
      isRequestDue = isRequesting;
      if (isRequesting) {
        return;
      }
      isRequesting = true;
    }
    Deadline deadline = Deadline.after(permitManager().deadline());
    guarded(
        () ->
            requestOrWait(
                new AcquireRequest(
                    request.charges(), request.mode(), request.onOutage(), deadline)));
    boolean isNextDue;
    synchronized (this) {
      isRequesting = false;
      isNextDue = isRequestDue;
    }
    if (isOver()) {
      makeWay();
    } else if (isNextDue) {
      queues().requestSoon(this::turn);
    }
  }

  /** Its time is over: the first of a queue calls once more, any other leaves. */
  private void expire() {
    if (queues().isFirst(this)) {
      endIn(LAST_REQUEST, this::deny);
      queues().requestSoon(this::turn);
    } else {
      deny();
    }
  }

  /** Denies without a call, unless one is under way. */
  private void deny() {
    if (!isOver() && !isRequesting()) {
      guarded(() -> complete(Permits.of(heldUp(denial, SOONEST))));
    }
  }

  /** Returns when to call again; empty when waiting is useless. */
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
    Duration block = Duration.ofNanos(verdict.blockedNanos());
    if (verdict.counter().limit() instanceof Concurrency
        && block.compareTo(left) <= 0
        && !left.isZero()) {
      Duration soonest = HELD_RETRY.compareTo(block) > 0 ? HELD_RETRY : block;
      return Optional.of(soonest.compareTo(left) < 0 ? soonest : left);
    }
    return Optional.of(after.time()).filter(time -> time.compareTo(left) <= 0);
  }

  private boolean isWaitedFor(Verdict verdict) {
    return waitedFor.stream().anyMatch(charge -> charge.counter().isSameAs(verdict.counter()));
  }

  /**
   * Returns a denial: what the counters have is for the requests before, for at least this time.
   */
  private Decision heldUp(Decision peeked, Duration time) {
    if (!(peeked instanceof Decision.Counted counted)) {
      return peeked;
    }
    Retry later = new Retry.After(time.compareTo(SOONEST) > 0 ? time : SOONEST);
    List<Verdict> verdicts =
        counted.verdicts().stream()
            .map(
                one -> {
                  boolean isSooner =
                      one.fits()
                          || (one.retry() instanceof Retry.After after
                              && after.time().compareTo(time) < 0);
                  if (!isWaitedFor(one) || !isSooner) {
                    return one;
                  }
                  return one.fits() ? one.withRetry(later).notOwn() : one.withRetry(later);
                })
            .toList();
    return Decision.counted(peeked.source(), verdicts, counted.receipt());
  }

  private synchronized void requestIn(Duration time) {
    next.cancel();
    next = isOver() ? Scheduler.Pending.NONE : queues().requestIn(time, this::turn);
  }

  private synchronized void endIn(Duration time, Runnable task) {
    end = isOver() ? Scheduler.Pending.NONE : queues().completeIn(time, task);
  }

  private synchronized boolean isRequesting() {
    return isRequesting;
  }

  /** During a call it keeps its place: the next request would be denied what is refunded. */
  @Override
  void leave() {
    if (isRequesting()) {
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
