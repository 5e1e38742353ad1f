package dev.weir.near;

import dev.weir.Charge;
import dev.weir.Counter;
import dev.weir.Decision;
import dev.weir.Receipt;
import dev.weir.Retry;
import dev.weir.Source;
import dev.weir.Verdict;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;

/**
 * The permits that may be spent now, and the decisions of the requests that spend them. All
 * requests that acquire the same permits get the same decision. It reports what remains in the
 * store without the lease, as of the last call.
 *
 * <p>Model. Threads take permits without a lock. Whenever the number left is reported to the store,
 * which counts all others as spent, this state is closed, and another one follows with the permits
 * that are kept. Permits may be put back only into the state that they were taken from. After its
 * close they stay spent, since they would otherwise exist twice. A request that comes between a
 * close and the next state goes to the store.
 *
 * <p>Thread-safe.
 */
final class LeaseState {

  private static final long CLOSED = -1;

  private final Verdict verdict;
  private final long stamp;
  private final long endNanos;
  private final long low;
  private final Decision.Counted ofOne;
  private final AtomicLong left;

  /**
   * @param low when fewer permits are left, the next lease should be fetched
   */
  LeaseState(Decision.Lent lent, long endNanos, long low, long permits) {
    this.verdict = lent.verdict().withRetry(Retry.NOW);
    this.stamp = lent.stamp();
    this.endNanos = endNanos;
    this.low = low;
    this.ofOne = decision(List.of(new Charge(verdict.counter(), 1)), List.of(this));
    this.left = new AtomicLong(permits);
  }

  private LeaseState(LeaseState closed, long permits) {
    this.verdict = closed.verdict;
    this.stamp = closed.stamp;
    this.endNanos = closed.endNanos;
    this.low = closed.low;
    this.ofOne = closed.ofOne;
    this.left = new AtomicLong(permits);
  }

  /** Returns a state of the same lease with so many permits. This one must be closed before. */
  LeaseState with(long permits) {
    return new LeaseState(this, permits);
  }

  Counter counter() {
    return verdict.counter();
  }

  /** Returns whether it ends within this time. */
  boolean isEnding(long nowNanos, long withinNanos) {
    return endNanos - nowNanos <= withinNanos;
  }

  /** Returns whether so few permits are left that the next lease should be fetched. */
  boolean isLow() {
    return left() < low;
  }

  /** Returns the number of permits that can be taken; 0 after the close. */
  long left() {
    return Math.max(0, left.get());
  }

  /** Takes so many permits, or none. Returns whether it took them. */
  boolean take(long permits) {
    while (true) {
      long now = left.get();
      if (now < permits) {
        return false;
      }
      if (left.compareAndSet(now, now - permits)) {
        return true;
      }
    }
  }

  /** Puts permits back that were taken from this state. After the close they stay spent. */
  void putBack(long permits) {
    while (true) {
      long now = left.get();
      if (now == CLOSED || left.compareAndSet(now, now + permits)) {
        return;
      }
    }
  }

  /** Ends the taking. Returns how many permits were left; 0 if it was closed before. */
  long close() {
    return Math.max(0, left.getAndSet(CLOSED));
  }

  /** Returns the decision for a request that acquired this charge from the lease. */
  Decision.Counted granted(Charge charge) {
    return charge.permits() == 1 ? ofOne : decision(List.of(charge), List.of(this));
  }

  /**
   * Returns the decision for a request that acquired each charge from the lease at the same index.
   */
  static Decision.Counted decision(List<Charge> charges, List<LeaseState> states) {
    Receipt.Grant[] grants = new Receipt.Grant[charges.size()];
    Verdict[] verdicts = new Verdict[charges.size()];
    for (int i = 0; i < grants.length; i++) {
      grants[i] = new Receipt.Grant(charges.get(i), states.get(i).stamp);
      verdicts[i] = states.get(i).verdict;
    }
    Receipt receipt = new Receipt(Source.LEASE, List.of(grants));
    return Decision.counted(Source.LEASE, List.of(verdicts), receipt, Duration.ZERO);
  }
}
