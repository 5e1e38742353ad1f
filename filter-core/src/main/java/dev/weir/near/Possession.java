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

/**
 * What a lease lets be said while it lasts, from one trip to the next. All who are granted the same
 * are told the same: what stays in the store without the lease, as it was when it was asked.
 */
final class Possession {

  private final Verdict verdict;
  private final long stamp;
  private final long endNanos;
  private final long low;
  private final Decision.Counted ofOne;

  /**
   * @param lent as the store said it
   * @param endNanos when it ends, by this node's ticker
   * @param low with fewer permits at hand, the next lease is to be fetched
   */
  Possession(Decision.Lent lent, long endNanos, long low) {
    this.verdict =
        new Verdict(
            lent.verdict().counter(),
            lent.verdict().remaining(),
            Retry.NOW,
            lent.verdict().resetAfterNanos());
    this.stamp = lent.stamp();
    this.endNanos = endNanos;
    this.low = low;
    this.ofOne = decision(List.of(new Charge(verdict.counter(), 1)), List.of(this));
  }

  Counter counter() {
    return verdict.counter();
  }

  /** Whether it ends within so much time. */
  boolean isEnding(long nowNanos, long withinNanos) {
    return endNanos - nowNanos <= withinNanos;
  }

  long low() {
    return low;
  }

  /** The answer to somebody who was granted this charge out of it. */
  Decision.Counted granted(Charge charge) {
    return charge.permits() == 1 ? ofOne : decision(List.of(charge), List.of(this));
  }

  /** The answer to somebody who was granted each of these charges out of the lease beside it. */
  static Decision.Counted decision(List<Charge> charges, List<Possession> leases) {
    Receipt.Grant[] grants = new Receipt.Grant[charges.size()];
    Verdict[] verdicts = new Verdict[charges.size()];
    for (int i = 0; i < grants.length; i++) {
      grants[i] = new Receipt.Grant(charges.get(i), leases.get(i).stamp);
      verdicts[i] = leases.get(i).verdict;
    }
    Receipt receipt = new Receipt(Source.LEASE, List.of(grants));
    return Decision.counted(Source.LEASE, List.of(verdicts), receipt, Duration.ZERO);
  }
}
