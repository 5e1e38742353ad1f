package dev.weir.near;

import dev.weir.store.AcquireRequest.Charge;
import dev.weir.store.Counter;
import dev.weir.store.Decision;
import dev.weir.store.Decision.Receipt;
import dev.weir.store.Decision.Verdict;
import dev.weir.store.LimitStore.Lending;
import dev.weir.store.Source;
import java.time.Duration;
import java.util.List;

/**
 * The decisions of a lease while it lasts, from one call to the store to the next. All requests
 * that acquire the same permits get the same decision. It reports what remains in the store without
 * the lease, as of that call.
 */
final class LeaseState {

  private final Verdict verdict;
  private final long stamp;
  private final long endNanos;
  private final long low;
  private final Decision.Counted ofOne;

  /**
   * @param low when fewer permits are available, the next lease should be fetched
   */
  LeaseState(Lending.Lease lent, long endNanos, long low) {
    Verdict inStore = lent.verdict();
    // a block that came after the permits were lent does not take them back
    this.verdict =
        new Verdict(
            inStore.counter(), inStore.remaining(), Decision.Retry.NOW, inStore.resetAfterNanos());
    this.stamp = lent.stamp();
    this.endNanos = endNanos;
    this.low = low;
    this.ofOne = decision(List.of(new Charge(verdict.counter(), 1)), List.of(this));
  }

  Counter counter() {
    return verdict.counter();
  }

  /** Returns whether it ends within this time. */
  boolean isEnding(long nowNanos, long withinNanos) {
    return endNanos - nowNanos <= withinNanos;
  }

  long low() {
    return low;
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
