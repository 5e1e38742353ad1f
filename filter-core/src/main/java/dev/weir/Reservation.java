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
 *
 * <p><b>Refunds.</b> To commit less than was reserved refunds the rest, and to cancel refunds all.
 * What others may have taken by then is not refunded:
 *
 * <ul>
 *   <li>A token bucket refunds at most what was reserved, less what has refilled since. Of 100
 *       permits at 20 per second, at most 80 are refunded after a second.
 *   <li>While requests wait in the queue of a bucket, nothing is refunded.
 *   <li>A leaky bucket refunds nothing, since the permits have flowed out.
 *   <li>A window refunds only until the permits expire.
 * </ul>
 *
 * <p>No listener is notified of these. To commit more than was reserved has its effect however late
 * it is: the rest is taken from the bucket, or from the window of that time.
 *
 * <p><b>Several limits.</b> A {@link MultiLimiter} reserves the same number of each limit, and
 * {@code commit(n)} states that n permits of each were spent. For different numbers, make a limiter
 * and a reservation for each limit. Begin with the limit that denies more often, and cancel its
 * reservation if the second is denied. The two are not one decision: a request in between may be
 * denied because of the first.
 *
 * <p>A denied reservation does not throw {@link LimitExceededException}. Its {@link #decision} has
 * the retry-after.
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
   * <p>This calls the store that has granted. Redis is called even if exactly the reserved permits
   * were spent. The call blocks until the reply, or until the limiter's deadline: 100 ms by
   * default. An interrupt does not end it.
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
   * Ends the reservation, if it has not ended. Nothing was spent, and its permits are refunded,
   * with the exceptions above. It blocks as {@link #commit} does, and a lost refund is handled in
   * the same way.
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
