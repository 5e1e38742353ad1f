package dev.weir;

import dev.weir.internal.Expect;
import dev.weir.internal.permit.PermitManager;
import dev.weir.store.Adjustment;
import dev.weir.store.Decision;
import dev.weir.store.LimiterListener;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * Permits that are taken before it is known how many will be spent. Examples are the rows of a
 * query and the tokens of a model. Commit what was spent. To close a reservation without that
 * cancels it. Thread-safe.
 *
 * <pre>{@code
 * try (Reservation rows = limiter.reserve("user-42", 100)) {
 *   if (rows.decision().allowed()) {
 *     rows.commit(12);
 *   }
 * }
 * }</pre>
 *
 * <p>A reservation ends once. One that is never ended, because its process has died, counts as
 * spent. It expires as any grant does, when the bucket has refilled or the window is over.
 */
public final class Reservation implements AutoCloseable {

  private final PermitManager permitManager;
  private final Decision decision;
  private final AtomicBoolean ended = new AtomicBoolean();

  Reservation(PermitManager permitManager, Decision decision) {
    this.permitManager = permitManager;
    this.decision = decision;
  }

  /** Returns whether the permits were granted. If not, nothing was taken. */
  public Decision decision() {
    return decision;
  }

  /**
   * Ends the reservation. Permits that were not spent are refunded. Permits that were spent beyond
   * the reservation become a debt, and delay later requests. If the outage policy allowed the
   * request, nothing is counted.
   *
   * <p>If the change cannot be sent to Redis in time, it is sent later, in the background. If it
   * was sent and not answered, or the store is closed, the reservation may count as spent, and no
   * more. The limiter's listener is then notified ({@link LimiterListener#onAdjustmentLost}).
   *
   * @param spent permits, at least 0
   * @throws IllegalArgumentException when spent is negative
   * @throws IllegalStateException when it was denied, or has ended before
   */
  public void commit(long spent) {
    Expect.notNegative("spent", spent);
    if (!decision.allowed()) {
      throw new IllegalStateException("reservation: denied (expected: granted)");
    }
    if (ended.getAndSet(true)) {
      throw new IllegalStateException("reservation: ended before (expected: to end once)");
    }
    if (decision instanceof Decision.Counted counted) {
      permitManager.settle(new Adjustment.Reconcile(counted.receipt(), spent));
    }
  }

  /**
   * Ends the reservation, if it has not ended: nothing was spent, and all permits are refunded. A
   * lost refund is handled as for {@link #commit}.
   */
  public void cancel() {
    if (!ended.getAndSet(true) && decision instanceof Decision.Counted counted) {
      permitManager.settle(new Adjustment.Refund(counted.receipt()));
    }
  }

  /** Cancels the reservation as {@link #cancel} does. */
  @Override
  public void close() {
    cancel();
  }
}
