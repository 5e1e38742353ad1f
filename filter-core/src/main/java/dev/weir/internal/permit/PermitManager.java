package dev.weir.internal.permit;

import dev.weir.ConcurrencyLimiter;
import dev.weir.internal.Expect;
import dev.weir.internal.store.GuardedListener;
import dev.weir.internal.store.Scheduler;
import dev.weir.store.AcquireRequest;
import dev.weir.store.Adjustment;
import dev.weir.store.Deadline;
import dev.weir.store.Decision;
import dev.weir.store.Decision.Receipt;
import dev.weir.store.LimitStore;
import dev.weir.store.LimitStore.Ticker;
import dev.weir.store.LimiterListener;
import dev.weir.store.StoreUnavailableException;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.Optional;

/**
 * Acquires permits of several limits at once, and keeps those of concurrency limits until they are
 * closed. One daemon thread renews them; it runs only while something is held. {@link
 * ConcurrencyLimiter} does the same for one limit. Thread-safe.
 */
public final class PermitManager implements AutoCloseable {

  final LimitStore store;
  final Duration deadline;
  final LimiterListener listener;
  final Scheduler scheduler;
  final HoldingTimes times;
  final PermitRenewals renewals = new PermitRenewals(this);
  private final Ticker ticker;

  /**
   * Creates a manager with a thread of its own.
   *
   * @param store decides, and is not closed by this
   * @param deadline by which a renewal and a release are decided, whatever the store does; what is
   *     renewed together has it for each, 20 times at most
   * @param listener is notified of permits that were lost
   * @throws IllegalArgumentException when the deadline is not positive
   */
  public static PermitManager of(LimitStore store, Duration deadline, LimiterListener listener) {
    Scheduler scheduler = new Scheduler.OneThread("weir-permits");
    return new PermitManager(store, deadline, listener, scheduler, Ticker.system());
  }

  /** Creates a manager with its own clock. */
  public PermitManager(
      LimitStore store,
      Duration deadline,
      LimiterListener listener,
      Scheduler scheduler,
      Ticker ticker) {
    this(store, deadline, listener, scheduler, ticker, new HoldingTimes());
  }

  private PermitManager(
      LimitStore store,
      Duration deadline,
      LimiterListener listener,
      Scheduler scheduler,
      Ticker ticker,
      HoldingTimes times) {
    this.store = Objects.requireNonNull(store, "store");
    this.deadline = Objects.requireNonNull(deadline, "deadline");
    this.listener = GuardedListener.of(listener);
    this.scheduler = scheduler;
    this.ticker = ticker;
    this.times = times;
    Expect.positive("deadline", deadline);
  }

  /** The same, on the same thread, with another deadline. */
  public PermitManager within(Duration newDeadline) {
    return new PermitManager(store, newDeadline, listener, scheduler, ticker, times);
  }

  /** The same, on the same thread, with another store and listener. */
  public PermitManager over(LimitStore newStore, LimiterListener newListener) {
    return new PermitManager(newStore, deadline, newListener, scheduler, ticker, times);
  }

  /**
   * Decides, by the request's deadline at the latest, and holds what that grants of concurrency
   * limits. Never throws for an outage: the request's outage policy decides then.
   *
   * <p>The retry-after of a concurrency limit is an estimate, so another limit may bind than in the
   * store.
   *
   * @return to be closed when the work is done, whatever was decided
   */
  public Permits decide(AcquireRequest request) {
    if (!mayHold(request)) {
      return Permits.of(decision(request));
    }
    long sentNanos = ticker.nanoTime();
    Decision decision = decision(request);
    if (!(decision instanceof Decision.Counted counted)) {
      return Permits.of(decision);
    }
    if (!counted.allowed()) {
      return Permits.of(times.estimated(request, counted, ticker.nanoTime()));
    }
    Receipt held = counted.receipt().held();
    return held.grants().isEmpty()
        ? Permits.of(decision)
        : new Permits(decision, Optional.of(new HeldPermits(this, held, sentNanos)));
  }

  private static boolean mayHold(AcquireRequest request) {
    List<AcquireRequest.Charge> charges = request.charges();
    for (int i = 0; i < charges.size(); i++) {
      if (charges.get(i).counter().limit().algorithm().isHeld()) {
        return true;
      }
    }
    return false;
  }

  private Decision decision(AcquireRequest request) {
    try {
      return store.decide(request);
    } catch (StoreUnavailableException gone) { // no fallback decides an outage, or it is closed
      return Decision.uncounted(request.onOutage(), gone.nextProbe());
    }
  }

  /** Returns permits that are not used: held ones, and those that the request consumed. */
  public void undo(Permits unused) {
    unused.close();
    if (!(unused.decision() instanceof Decision.Counted counted)) {
      return;
    }
    Receipt consumed = counted.receipt().consumed();
    if (consumed.grants().isEmpty()) {
      return;
    }
    try {
      settle(new Adjustment.Refund(consumed));
    } catch (RuntimeException bug) {
      listener.onError("what a wait was granted could not be given back", bug);
    }
  }

  /**
   * Changes what was granted, by the deadline. When the change is lost, the listener is notified:
   * it must not be made twice.
   */
  public void settle(Adjustment.OfReceipt adjustment) {
    try {
      store.adjust(adjustment, Deadline.after(deadline));
    } catch (StoreUnavailableException lost) {
      listener.onAdjustmentLost(adjustment, lost);
    }
  }

  void failed(RuntimeException bug) {
    listener.onError("a permit could not be renewed", bug);
  }

  public Duration deadline() {
    return deadline;
  }

  public long nanoTime() {
    return ticker.nanoTime();
  }

  /**
   * Stops all renewals: held permits return when their time to live is over, or when they are
   * closed. Idempotent.
   */
  @Override
  public void close() {
    scheduler.close();
  }
}
