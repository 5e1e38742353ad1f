package dev.weir;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * A real store that can be switched off, as a shared one can be lost. What it decides bears the
 * source {@link Source#REDIS}, so that it plays the primary.
 */
public final class SwitchableStore implements LimitStore {

  public static final Duration NEXT_PROBE = Duration.ofMillis(321);

  private final LimitStore store;
  private final AtomicInteger asked = new AtomicInteger();
  private volatile boolean on = true;
  private volatile boolean healthy = true;

  /**
   * @param store one that decides with source {@link Source#LOCAL}
   */
  public SwitchableStore(LimitStore store) {
    this.store = store;
  }

  public void switchOff() {
    on = false;
    healthy = false;
  }

  /** It answers again, but some part of it does not. */
  public void switchOnInPart() {
    on = true;
  }

  public void switchOn() {
    on = true;
    healthy = true;
  }

  public int asked() {
    return asked.get();
  }

  @Override
  public Decision decide(AcquireRequest request) throws StoreUnavailableException {
    asked.incrementAndGet();
    requireOn();
    Decision.Counted decision = (Decision.Counted) store.decide(request);
    return Decision.counted(
        Source.REDIS,
        decision.verdicts(),
        new Receipt(Source.REDIS, decision.receipt().grants()),
        decision.delay());
  }

  @Override
  public boolean adjust(Adjustment adjustment, Deadline deadline) throws StoreUnavailableException {
    requireOn();
    if (adjustment instanceof Adjustment.Refund refund) {
      return store.adjust(new Adjustment.Refund(ofStore(refund.receipt())), deadline);
    }
    if (adjustment instanceof Adjustment.Reconcile settle) {
      Receipt receipt = ofStore(settle.receipt());
      return store.adjust(new Adjustment.Reconcile(receipt, settle.spent()), deadline);
    }
    if (adjustment instanceof Adjustment.Renew renew) {
      return store.adjust(new Adjustment.Renew(ofStore(renew.receipt())), deadline);
    }
    return store.adjust(adjustment, deadline);
  }

  private static Receipt ofStore(Receipt receipt) {
    if (receipt.source() != Source.REDIS) {
      throw new AssertionError("this receipt is another store's: " + receipt.source());
    }
    return new Receipt(Source.LOCAL, receipt.grants());
  }

  private void requireOn() throws StoreUnavailableException {
    if (!on) {
      throw new StoreUnavailableException("switched off", NEXT_PROBE, null);
    }
  }

  @Override
  public boolean isHealthy() {
    return healthy;
  }

  @Override
  public void close() {
    store.close();
  }
}
