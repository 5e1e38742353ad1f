package dev.weir;

import dev.weir.internal.Scheduler;
import dev.weir.limit.Limit;
import java.time.Duration;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Waits for a bucket, whose store keeps the queue. The store is asked once. It grants permits in
 * the order of all nodes, for use after a delay, or denies at once exactly when they would come too
 * late.
 */
final class ReservedWait<T> extends WaitingRequest<T> {

  private final Duration maxWait;
  private volatile Scheduler.Pending turn = Scheduler.Pending.NONE;

  ReservedWait(
      WaitQueues waitQueues,
      AcquireRequest request,
      Duration maxWait,
      Function<ConcurrencyPermits, T> form) {
    super(waitQueues, request, maxWait, form);
    this.maxWait = maxWait;
  }

  static boolean serves(AcquireRequest request) {
    Limit limit = request.charges().get(0).counter().limit();
    return request.charges().size() == 1 && limit.algorithm().isReservable();
  }

  @Override
  void arrive() {
    AcquireRequest within = request().in(new Mode.Within(maxWait));
    ConcurrencyPermits permits = permitManager().decide(within);
    Duration delay = permits.decision().delay();
    if (delay.isZero()) {
      answer(permits);
      return;
    }
    keep(permits);
    turn = queues().inTurn(delay, request().charges(), () -> guarded(this::use));
    if (isOver()) {
      leave();
    }
  }

  private void use() {
    @Nullable ConcurrencyPermits permits = takeKept();
    if (permits != null) {
      answer(permits);
    }
  }

  @Override
  void leave() {
    turn.cancel();
  }

  /** Does nothing: the store keeps the order. */
  @Override
  void makeWay() {}
}
