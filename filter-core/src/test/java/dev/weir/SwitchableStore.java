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
  public Decision decide(Ask ask) throws StoreUnavailableException {
    asked.incrementAndGet();
    requireOn();
    Decision.Counted decision = (Decision.Counted) store.decide(ask);
    return Decision.counted(
        Source.REDIS,
        decision.verdicts(),
        new Receipt(Source.REDIS, decision.receipt().grants()),
        decision.delay());
  }

  @Override
  public boolean amend(Amendment amendment, Deadline deadline) throws StoreUnavailableException {
    requireOn();
    if (amendment instanceof Amendment.GiveBack giveBack) {
      return store.amend(new Amendment.GiveBack(ofStore(giveBack.receipt())), deadline);
    }
    if (amendment instanceof Amendment.Settle settle) {
      Receipt receipt = ofStore(settle.receipt());
      return store.amend(new Amendment.Settle(receipt, settle.spent()), deadline);
    }
    if (amendment instanceof Amendment.Renew renew) {
      return store.amend(new Amendment.Renew(ofStore(renew.receipt())), deadline);
    }
    return store.amend(amendment, deadline);
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
