package dev.weir.internal.wait;

import dev.weir.internal.permit.PermitManager;
import dev.weir.internal.permit.Permits;
import dev.weir.internal.store.Scheduler;
import dev.weir.store.AcquireRequest;
import dev.weir.store.Deadline;
import dev.weir.store.Decision;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * A request that waits for its permits, until its future completes. The caller may complete it too,
 * in any way: that is to leave.
 *
 * <p>The store keeps the queue of a bucket, so it is called once: it grants permits for use after a
 * delay. A {@link QueuedWait} calls more than once.
 *
 * <p>No future is completed under a lock, since its dependents may take locks of their own.
 */
sealed class WaitingRequest<T> permits QueuedWait {

  private final WaitQueues waitQueues;
  final AcquireRequest request;
  private final long endNanos;
  private final Function<Permits, T> form;
  private final CompletableFuture<T> result = new CompletableFuture<>();

  /** Granted, and not usable yet. Taken once, to be used or refunded. */
  private final AtomicReference<@Nullable Permits> kept = new AtomicReference<>();

  private volatile Scheduler.Pending use = Scheduler.Pending.NONE;

  /**
   * @param request as the store gets it: in the mode {@link AcquireRequest.Mode.Within} if it keeps
   *     the queue
   */
  WaitingRequest(
      WaitQueues waitQueues, AcquireRequest request, Duration maxWait, Function<Permits, T> form) {
    this.waitQueues = waitQueues;
    this.request = request;
    this.endNanos = waitQueues.permitManager().nanoTime() + Deadline.within(maxWait).nanos();
    this.form = form;
  }

  final CompletableFuture<T> begin() {
    waitQueues.open.add(this);
    CompletableFuture<T> unused = result.whenComplete((result, failure) -> end());
    guarded(this::arrive);
    return result;
  }

  /** Calls the store, on the caller's thread. */
  void arrive() {
    Permits permits = permitManager().decide(request);
    Duration delay = permits.decision().delay();
    if (delay.isZero()) {
      complete(permits);
      return;
    }
    kept.set(permits);
    use = queues().completeInTurn(delay, request.charges(), () -> guarded(this::use));
    if (isOver()) {
      leave();
    }
  }

  private void use() {
    @Nullable Permits permits = kept.getAndSet(null);
    if (permits != null) {
      complete(permits);
    }
  }

  /** Leaves its queue, as soon as no call of it is under way. Idempotent. */
  void leave() {
    use.cancel();
  }

  /**
   * Lets the next request begin: this one is complete, and no call of it is under way. Does nothing
   * where the store keeps the order.
   */
  void makeWay() {}

  /** Refunds what was granted and is not used. */
  void refund(Permits unused) {
    permitManager().undo(unused);
  }

  /** Runs a step, and completes the future with its failure: a bug, since an outage is decided. */
  final void guarded(Runnable step) {
    try {
      step.run();
    } catch (RuntimeException | Error failure) {
      result.completeExceptionally(failure);
    }
  }

  final PermitManager permitManager() {
    return waitQueues.permitManager();
  }

  final CounterQueues queues() {
    return waitQueues.queues();
  }

  final boolean isOver() {
    return result.isDone();
  }

  final Duration left() {
    return Duration.ofNanos(Math.max(0, endNanos - permitManager().nanoTime()));
  }

  /**
   * Completes the future, unless the request has left. The next request does not wait for the
   * future's dependents, only for a refund.
   */
  final void complete(Permits permits) {
    if (!isOver()) {
      makeWay();
    }
    if (!result.complete(form.apply(permits))) {
      refund(permits);
    }
  }

  /** Denies the request, since the queues are closed. What it was granted stays spent. */
  final void abandon() {
    kept.set(null);
    result.complete(form.apply(Permits.of(Decision.failClosed(WaitQueues.SOON))));
  }

  /**
   * When {@code cancel} returns, the refund has been made, unless another thread was handing the
   * permits over. It then makes the refund. A timer that ends the wait, as {@link
   * CompletableFuture#orTimeout} does, must not block for a store.
   */
  private void end() {
    waitQueues.open.remove(this);
    leave();
    @Nullable Permits unspent = kept.getAndSet(null);
    if (unspent == null) {
      return;
    }
    if (result.isCancelled()) {
      refund(unspent);
    } else {
      queues().requestSoon(() -> refund(unspent));
    }
  }
}
