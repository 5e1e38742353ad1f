package dev.weir;

import java.util.Objects;

/**
 * Asks a primary store and, when that is gone, does what {@link Ask#onOutage} says: limits by the
 * fallback, passes, or denies.
 *
 * <p>An outage begins with the first decision that the primary could not make, and ends with the
 * first that it makes while all of it is healthy. The fallback's clock runs in between and stands
 * otherwise. While a part of the primary is out, what the other parts decide stands.
 */
public final class FailoverLimitStore implements LimitStore {

  private final LimitStore primary;
  private final Fallback fallback;
  private final Object change = new Object();
  private volatile boolean out;

  /**
   * @param primary closed with this store
   * @param fallback closed with this store
   */
  public FailoverLimitStore(LimitStore primary, Fallback fallback) {
    this.primary = Objects.requireNonNull(primary, "primary");
    this.fallback = Objects.requireNonNull(fallback, "fallback");
  }

  @Override
  public Decision decide(Ask ask) throws StoreUnavailableException {
    Decision decision;
    try {
      decision = primary.decide(ask);
    } catch (StoreUnavailableException gone) {
      beginOutage();
      return withoutPrimary(ask, gone);
    }
    if (out) {
      endOutageIfHealthy();
    }
    return decision;
  }

  private Decision withoutPrimary(Ask ask, StoreUnavailableException gone)
      throws StoreUnavailableException {
    return switch (ask.onOutage()) {
      case ALLOW -> Decision.open();
      case LOCAL -> fallback.decide(ask);
      case DENY -> Decision.closed(gone.nextProbe());
    };
  }

  /** Whoever sees the outage waits here until the fallback's clock runs. */
  private void beginOutage() {
    if (out) {
      return;
    }
    synchronized (change) {
      if (!out) {
        fallback.takeOver();
        out = true;
      }
    }
  }

  private void endOutageIfHealthy() {
    if (!primary.isHealthy()) {
      return;
    }
    synchronized (change) {
      if (out) {
        fallback.standBy();
        out = false;
      }
    }
  }

  /** Goes to the store that made what is amended. */
  @Override
  public void amend(Amendment amendment, Deadline deadline) throws StoreUnavailableException {
    makerOf(amendment).amend(amendment, deadline);
  }

  private LimitStore makerOf(Amendment amendment) {
    boolean isFallbacks =
        amendment instanceof Amendment.GiveBack giveBack
            && giveBack.receipt().source() == Source.LOCAL;
    return isFallbacks ? fallback : primary;
  }

  @Override
  public boolean isHealthy() {
    return primary.isHealthy();
  }

  @Override
  public void close() {
    try {
      primary.close();
    } finally {
      fallback.close();
    }
  }
}
