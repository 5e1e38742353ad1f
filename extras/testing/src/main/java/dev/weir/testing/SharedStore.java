package dev.weir.testing;

import dev.weir.store.AcquireRequest;
import dev.weir.store.Adjustment;
import dev.weir.store.Deadline;
import dev.weir.store.Decision;
import dev.weir.store.Decision.Receipt;
import dev.weir.store.LimitStore;
import dev.weir.store.Source;
import dev.weir.store.StoreUnavailableException;
import java.time.Duration;
import java.util.Set;

/**
 * A store in process that plays the shared one: it may be out, and its decisions have the source
 * {@link Source#REDIS}. So no fallback takes them for its own.
 */
final class SharedStore implements LimitStore {

  private static final Duration NEXT_PROBE = Duration.ofSeconds(1);

  private final LimitStore local;

  private volatile boolean isOut;

  SharedStore(LimitStore local) {
    this.local = local;
  }

  void fail() {
    isOut = true;
  }

  void recover() {
    isOut = false;
  }

  @Override
  public Decision decide(AcquireRequest request) throws StoreUnavailableException {
    requireUp();
    Decision.Counted decision = (Decision.Counted) local.decide(request);
    Receipt receipt = new Receipt(Source.REDIS, decision.receipt().grants());
    return Decision.counted(Source.REDIS, decision.verdicts(), receipt, decision.delay());
  }

  /**
   * Accepts during an outage what the store of Redis sends in the background then. No decision
   * shows it before the outage has ended.
   */
  @Override
  public Set<Receipt.Grant> adjust(Adjustment adjustment, Deadline deadline)
      throws StoreUnavailableException {
    if (adjustment instanceof Adjustment.Refund refund) {
      return local.adjust(new Adjustment.Refund(toLocal(refund.receipt())), deadline);
    }
    if (adjustment instanceof Adjustment.Reconcile commit) {
      Receipt receipt = toLocal(commit.receipt());
      return local.adjust(new Adjustment.Reconcile(receipt, commit.spent()), deadline);
    }
    requireUp();
    return adjustment instanceof Adjustment.Renew renew
        ? local.adjust(new Adjustment.Renew(toLocal(renew.receipt())), deadline)
        : local.adjust(adjustment, deadline);
  }

  private static Receipt toLocal(Receipt receipt) {
    return new Receipt(Source.LOCAL, receipt.grants());
  }

  private void requireUp() throws StoreUnavailableException {
    if (isOut) {
      throw new StoreUnavailableException("the test store is out: fail()", NEXT_PROBE, null);
    }
  }

  @Override
  public boolean isHealthy() {
    return !isOut;
  }

  @Override
  public void close() {
    local.close();
  }
}
