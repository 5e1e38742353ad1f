package dev.weir;

import java.time.Duration;
import java.util.Objects;
import java.util.Optional;

/**
 * Decides asks, and keeps what they hold until it is closed: by one daemon thread, there only while
 * something is held. For whoever asks a {@link LimitStore} about several limits at once, a request
 * for instance; {@link ConcurrencyLimiter} does so for one.
 *
 * <p>A hold that is not closed, and that nobody refers to any more, is not renewed: its permits
 * return when its lease ends.
 *
 * <p>Most holds are closed before their first renewal, at a third of the lease. Those that are not
 * are renewed together where they are due at about the same time.
 *
 * <p>Thread-safe.
 */
public final class Holds implements AutoCloseable {

  static final int MOST_DEADLINES = 20;

  private final LimitStore store;
  private final Duration deadline;
  private final LimiterListener listener;
  private final Alarm alarm;
  private final Ticker ticker;
  private final HoldingTimes times;
  private final Renewals renewals;

  /**
   * @param store decides, and is not closed by this
   * @param deadline by which a renewal and a release are answered, whatever the store does; what is
   *     renewed together has it for each, 20 times at most
   * @param listener hears of holds that were lost
   * @throws IllegalArgumentException when the deadline is not positive
   */
  public Holds(LimitStore store, Duration deadline, LimiterListener listener) {
    this(store, deadline, listener, new AlarmThread("weir-holds"), Ticker.system());
  }

  /** The same in a time of its own. */
  Holds(LimitStore store, Duration deadline, LimiterListener listener, Alarm alarm, Ticker ticker) {
    this(store, deadline, listener, alarm, ticker, new HoldingTimes(ticker));
  }

  private Holds(
      LimitStore store,
      Duration deadline,
      LimiterListener listener,
      Alarm alarm,
      Ticker ticker,
      HoldingTimes times) {
    this.store = Objects.requireNonNull(store, "store");
    this.deadline = Objects.requireNonNull(deadline, "deadline");
    this.listener = LimiterListener.guarded(listener);
    this.alarm = alarm;
    this.ticker = ticker;
    this.times = times;
    this.renewals = new Renewals(this);
    if (deadline.isNegative() || deadline.isZero()) {
      throw Expect.failure("deadline", deadline, "> 0");
    }
  }

  /** The same, on the same thread, with another deadline. */
  Holds within(Duration newDeadline) {
    return new Holds(store, newDeadline, listener, alarm, ticker, times);
  }

  /** The same, on the same thread, told to somebody else. */
  Holds telling(LimiterListener newListener) {
    return new Holds(store, deadline, newListener, alarm, ticker, times);
  }

  /**
   * Decides, by the ask's deadline at the latest, and holds what that grants of concurrency limits.
   * Never throws for an outage: the ask's policy answers.
   *
   * <p>A concurrency limit that denies tells an estimate as retry-after: from how long its permits
   * were held lately on this node, and at most until enough of their leases end.
   *
   * @return to be closed when what was asked for is done, whatever was decided
   */
  public Hold decide(Ask ask) {
    long askedNanos = ticker.nanoTime();
    Decision decision;
    try {
      decision = store.decide(ask);
    } catch (StoreUnavailableException gone) {
      decision = Decision.uncounted(ask.onOutage(), gone.nextProbe());
    }
    return decision instanceof Decision.Counted denial && !denial.allowed()
        ? Hold.of(times.estimated(ask, denial))
        : new Hold(decision, lease(decision, askedNanos));
  }

  private Optional<Lease> lease(Decision decision, long askedNanos) {
    if (!(decision instanceof Decision.Counted counted)) {
      return Optional.empty();
    }
    Receipt held = counted.receipt().held();
    return held.grants().isEmpty()
        ? Optional.empty()
        : Optional.of(new Lease(this, held, askedNanos, times.granted(held)));
  }

  /**
   * Renews what is held, by one deadline for each counter, and a bounded number of them: a store
   * may have to ask in many places, one after the other.
   */
  boolean renew(Receipt held) throws StoreUnavailableException {
    int deadlines = Math.min(held.grants().size(), MOST_DEADLINES);
    return store.amend(new Amendment.Renew(held), Deadline.after(deadline.multipliedBy(deadlines)));
  }

  boolean amend(Amendment amendment) throws StoreUnavailableException {
    return store.amend(amendment, Deadline.after(deadline));
  }

  void lost(Receipt held) {
    listener.onHoldLost(held);
  }

  void failed(RuntimeException bug) {
    failed("a hold could not be renewed", bug);
  }

  void failed(String what, RuntimeException bug) {
    listener.onError(what, bug);
  }

  Duration deadline() {
    return deadline;
  }

  Renewals renewals() {
    return renewals;
  }

  Alarm alarm() {
    return alarm;
  }

  long nanoTime() {
    return ticker.nanoTime();
  }

  /**
   * Renews nothing any more: what is held ends with its lease, or when it is closed. Closing twice
   * is closing once.
   */
  @Override
  public void close() {
    alarm.close();
  }
}
