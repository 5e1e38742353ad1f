package dev.weir;

import java.time.Duration;
import java.util.Objects;

/**
 * Asks a primary store and, when that is gone, does what {@link Ask#onOutage} says: limits by the
 * fallback, passes, or denies.
 *
 * <p>An outage begins with the first decision that the primary could not make because it was out or
 * overloaded. It ends with the first that it makes while all of it is healthy and none has failed
 * so for 1.5 seconds. The fallback's clock runs in between and stands otherwise: a primary that
 * fails some requests among many, and calls itself healthy, leaves those that fail their share of
 * the rate. During an outage, what the primary does decide stands.
 *
 * <p>Thread-safe.
 */
public final class FailoverLimitStore implements LimitStore {

  /** Several probes of a primary: one that fails now and then has failed again by then. */
  private static final long QUIET_NANOS = Duration.ofMillis(1_500).toNanos();

  private final LimitStore primary;
  private final Fallback fallback;
  private final Ticker ticker;
  private final Object change = new Object();
  private volatile boolean out;

  /** Means nothing before the first failure. */
  private volatile long lastFailureNanos;

  /**
   * @param primary closed with this store
   * @param fallback closed with this store
   */
  public FailoverLimitStore(LimitStore primary, Fallback fallback) {
    this(primary, fallback, Ticker.system());
  }

  /**
   * The same with a time of its own.
   *
   * @param ticker says how long ago the last failure was
   */
  public FailoverLimitStore(LimitStore primary, Fallback fallback, Ticker ticker) {
    this.primary = Objects.requireNonNull(primary, "primary");
    this.fallback = Objects.requireNonNull(fallback, "fallback");
    this.ticker = Objects.requireNonNull(ticker, "ticker");
  }

  @Override
  public Decision decide(Ask ask) throws StoreUnavailableException {
    Decision decision;
    try {
      decision = primary.decide(ask);
    } catch (StoreUnavailableException gone) {
      if (callsForFallback(gone.kind())) {
        beginOutage();
      }
      return withoutPrimary(ask, gone);
    }
    if (out) {
      endOutageIfOver();
    }
    return decision;
  }

  /**
   * Whether the fallback's clock is to run. A caller without time, a slot that moves and a bug say
   * nothing about the primary, which goes on deciding for all others.
   */
  private static boolean callsForFallback(StoreUnavailableException.Kind kind) {
    return switch (kind) {
      case OUTAGE, OVERLOADED -> true;
      case OUT_OF_TIME, FAILED -> false;
    };
  }

  private Decision withoutPrimary(Ask ask, StoreUnavailableException gone)
      throws StoreUnavailableException {
    return switch (ask.onOutage()) {
      case ALLOW -> Decision.open();
      case LOCAL -> fallback.decide(atOnce(ask));
      case DENY -> Decision.closed(gone.nextProbe());
    };
  }

  /**
   * Nobody is let in ahead of time during an outage: he would run beside those whom the primary
   * lets in after it.
   */
  private static Ask atOnce(Ask ask) {
    return ask.terms() instanceof Terms.Within
        ? new Ask(ask.charges(), ask.onOutage(), ask.deadline())
        : ask;
  }

  /** Whoever sees the outage waits here until the fallback's clock runs. */
  private void beginOutage() {
    lastFailureNanos = ticker.nanoTime();
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

  private void endOutageIfOver() {
    if (!isQuiet() || !primary.isHealthy()) {
      return;
    }
    synchronized (change) {
      if (out && isQuiet()) {
        fallback.standBy();
        out = false;
      }
    }
  }

  private boolean isQuiet() {
    return ticker.nanoTime() - lastFailureNanos >= QUIET_NANOS;
  }

  /**
   * {@inheritDoc}
   *
   * <p>What was granted is amended in the store that granted it; any other change is made in both,
   * whether or not there is an outage. When this throws, the store that could make it has.
   */
  @Override
  public boolean amend(Amendment amendment, Deadline deadline) throws StoreUnavailableException {
    if (amendment instanceof Amendment.OfReceipt ofReceipt) {
      LimitStore maker = ofReceipt.receipt().source() == Source.LOCAL ? fallback : primary;
      return maker.amend(amendment, deadline);
    }
    boolean made;
    try {
      made = fallback.amend(amendment, deadline);
    } finally {
      primary.amend(amendment, deadline);
    }
    return made;
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
