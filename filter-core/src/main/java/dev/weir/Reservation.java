package dev.weir;

import dev.weir.internal.Expect;
import dev.weir.store.Adjustment;
import dev.weir.store.Decision;
import dev.weir.store.StoreUnavailableException;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * Permits that are taken before it is known how many will be spent. Examples are the rows of a
 * query and the tokens of a model. A reservation ends once: it is committed with what was spent, or
 * cancelled.
 *
 * <pre>{@code
 * try (Reservation rows = limiter.reserve(user, 100)) {
 *   if (rows.decision().allowed()) {
 *     rows.commit(query.run());
 *   }
 * }
 * }</pre>
 *
 * <p>A reservation that is never ended, because its process has died, counts as spent. It expires
 * as any grant does, when the bucket has refilled or the window is over. Thread-safe.
 */
public final class Reservation implements AutoCloseable {

  private final LimiterCore core;
  private final Decision decision;
  private final AtomicBoolean ended = new AtomicBoolean();

  Reservation(LimiterCore core, Decision decision) {
    this.core = core;
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
   * <p>If the change cannot be sent to Redis in time, it is sent later, in the background.
   *
   * @param spent permits, at least 0
   * @throws IllegalArgumentException when spent is negative
   * @throws IllegalStateException when it was denied, or has ended before
   * @throws StoreUnavailableException when the change was sent to the store that granted and the
   *     store has not replied, or is closed. The reservation may then count as spent, and no more
   */
  public void commit(long spent) throws StoreUnavailableException {
    Expect.notNegative("spent", spent);
    if (!decision.allowed()) {
      throw new IllegalStateException("reservation: denied (expected: granted)");
    }
    if (ended.getAndSet(true)) {
      throw new IllegalStateException("reservation: ended before (expected: to end once)");
    }
    if (decision instanceof Decision.Counted counted) {
      core.adjust(new Adjustment.Reconcile(counted.receipt(), spent));
    }
  }

  /**
   * Ends the reservation, if it has not ended: nothing was spent, and all permits are refunded.
   *
   * <p>If the change cannot be sent to Redis in time, it is sent later, in the background.
   *
   * @throws StoreUnavailableException when the change was sent to the store that granted and the
   *     store has not replied, or is closed. The reservation may then count as spent
   */
  public void cancel() throws StoreUnavailableException {
    if (!ended.getAndSet(true) && decision instanceof Decision.Counted counted) {
      core.adjust(new Adjustment.Refund(counted.receipt()));
    }
  }

  /**
   * Cancels the reservation as {@link #cancel} does, but throws nothing: a lost refund only
   * under-admits.
   */
  @Override
  public void close() {
    try {
      cancel();
    } catch (StoreUnavailableException lost) {
      // the reservation counts as spent
    }
  }
}
