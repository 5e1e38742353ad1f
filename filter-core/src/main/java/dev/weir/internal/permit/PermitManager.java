package dev.weir.internal.permit;

import dev.weir.ConcurrencyLimiter;
import dev.weir.internal.Expect;
import dev.weir.internal.store.GuardedListener;
import dev.weir.internal.store.Scheduler;
import dev.weir.store.AcquireRequest;
import dev.weir.store.AcquireRequest.Charge;
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
 * ConcurrencyLimiter} does the same for one limit.
 *
 * <p>Permits that are not closed, and that nothing refers to any more, are not renewed: they return
 * when their time to live is over.
 *
 * <p>Most permits are closed before their first renewal, at a third of the time to live. Renewals
 * that are due at about the same time are made together.
 *
 * <p>Thread-safe.
 */
public final class PermitManager implements AutoCloseable {

  private final LimitStore store;
  private final Duration deadline;
  private final LimiterListener listener;
  private final Scheduler scheduler;
  private final Ticker ticker;
  private final HoldingTimes times;
  private final PermitRenewals renewals;

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
    this.renewals = new PermitRenewals(store, deadline, this.listener, scheduler, ticker);
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
   * <p>A concurrency limit that denies returns an estimate as retry-after. It is made from how long
   * permits were held lately on this node, and ends when enough of them expire at the latest. So
   * another limit may bind than in the store.
   *
   * @return to be closed when the work is done, whatever was decided
   */
  public Permits decide(AcquireRequest request) {
    if (!mayHold(request)) {
      return Permits.of(decision(request));
    }
    long sentNanos = ticker.nanoTime();
    Decision decision = decision(request);
    return decision instanceof Decision.Counted denial && !denial.allowed()
        ? Permits.of(times.estimated(request, denial, ticker.nanoTime()))
        : new Permits(decision, held(decision, sentNanos));
  }

  private static boolean mayHold(AcquireRequest request) {
    List<Charge> charges = request.charges();
    for (int i = 0; i < charges.size(); i++) {
      if (charges.get(i).counter().limit().algorithm().isHeld()) {
        return true;
      }
    }
    return false;
  }

  /**
   * Decides as {@link #decide} does, without holding anything: no charge is of a concurrency limit.
   */
  public Decision decision(AcquireRequest request) {
    try {
      return store.decide(request);
    } catch (StoreUnavailableException gone) { // no fallback decides an outage, or it is closed
      return Decision.uncounted(request.onOutage(), gone.nextProbe());
    }
  }

  private Optional<HeldPermits> held(Decision decision, long sentNanos) {
    if (!(decision instanceof Decision.Counted counted)) {
      return Optional.empty();
    }
    Receipt receipt = counted.receipt().held();
    return receipt.grants().isEmpty()
        ? Optional.empty()
        : Optional.of(new HeldPermits(renewals, times, receipt, sentNanos));
  }

  /** Returns permits that are not used: held ones, and those that the request consumed. */
  public void undo(Permits unused) {
    unused.close();
    if (unused.decision() instanceof Decision.Counted counted) {
      refund(counted.receipt().consumed());
    }
  }

  private void refund(Receipt consumed) {
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
