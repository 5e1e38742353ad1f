package dev.weir;

import java.time.Duration;

/**
 * Limits how much each subject holds at once, over all nodes.
 *
 * <pre>{@code
 * ConcurrencyLimiter exports = ConcurrencyLimiter.of("exports", "4 concurrent", store);
 * try (Hold hold = exports.acquire(Subject.of("user", userId))) {
 *   if (hold.isHeld()) {
 *     export();
 *   }
 * }
 * }</pre>
 *
 * <p>What is held is renewed by one daemon thread until it is closed. The permits of a process that
 * has crashed return when their lease ends. Where a process stands still for longer than its lease,
 * others are granted what it held: {@link Hold#isHeld} tells, and so does the listener.
 *
 * <p>Acquiring never waits for permits and never throws for an outage: when the store cannot decide
 * by the deadline, the outage policy answers. What was granted by a store is renewed and released
 * in that store, whichever decides meanwhile.
 *
 * <p>A denial's retry-after is an estimate from how long permits were held lately on this node, and
 * at most the time until enough leases end. A block of more than a lease is told as it is.
 *
 * <p>Limiters are immutable and thread-safe. Keep one: it has a thread while anything is held, and
 * is to be closed. The store is closed by whoever opened it.
 */
public final class ConcurrencyLimiter implements AutoCloseable {

  private final Acquirer acquirer;
  private final Holds holds;

  private ConcurrencyLimiter(Acquirer acquirer, Holds holds) {
    this.acquirer = acquirer;
    this.holds = holds;
  }

  /**
   * A limiter with a deadline of 100 ms that falls back to limiting in process.
   *
   * @param name names the limit: limiters of one name share their counters
   * @throws IllegalArgumentException when the name is not one that {@link Counter} accepts
   */
  public static ConcurrencyLimiter of(String name, Concurrency limit, LimitStore store) {
    Acquirer acquirer = Acquirer.of(name, limit, store);
    return new ConcurrencyLimiter(
        acquirer, new Holds(store, acquirer.deadline(), LimiterListener.NONE));
  }

  /**
   * The same for a limit in its one-line form, as {@link Limit#parse} reads it: {@code 4
   * concurrent} or {@code 4 concurrent, lease 10s}.
   *
   * @throws IllegalArgumentException also when the text is not a limit, or not one of concurrency
   */
  public static ConcurrencyLimiter of(String name, String limit, LimitStore store) {
    if (Limit.parse(limit) instanceof Concurrency parsed) {
      return of(name, parsed, store);
    }
    throw Expect.failure("limit", "'" + limit + "'", "a limit such as '4 concurrent'");
  }

  /**
   * The same limiter with another time in which decisions, renewals and releases are answered.
   *
   * @throws IllegalArgumentException when the deadline is not positive
   */
  public ConcurrencyLimiter withDeadline(Duration deadline) {
    return new ConcurrencyLimiter(acquirer.within(deadline), holds.within(deadline));
  }

  /** The same limiter with another answer for when the store is gone. */
  public ConcurrencyLimiter withOnOutage(OnOutage onOutage) {
    return new ConcurrencyLimiter(acquirer.onOutage(onOutage), holds);
  }

  /** The same limiter, whose holds that are lost are told to a listener. */
  public ConcurrencyLimiter withListener(LimiterListener listener) {
    return new ConcurrencyLimiter(acquirer, holds.telling(listener));
  }

  /** Takes one permit if it can be had now, to be held until it is closed. */
  public Hold acquire(Subject subject) {
    return acquire(subject, 1);
  }

  /**
   * Takes all these permits if they can be had now, or none.
   *
   * @param permits at least 1; more than the limit's capacity is denied as never satisfiable
   * @throws IllegalArgumentException when permits is not positive
   */
  public Hold acquire(Subject subject, long permits) {
    return holds.decide(acquirer.asking(subject, permits, Terms.EXACTLY, acquirer.due()));
  }

  /**
   * The same with the caller's own deadline.
   *
   * @param deadline how long the decision may take, more than zero
   * @throws IllegalArgumentException when permits or the deadline is not positive
   */
  public Hold acquire(Subject subject, long permits, Duration deadline) {
    return holds.decide(acquirer.asking(subject, permits, Terms.EXACTLY, Acquirer.due(deadline)));
  }

  /** How things stand, and what {@link #acquire(Subject)} would answer. Takes nothing. */
  public Decision peek(Subject subject) {
    return holds.decide(acquirer.asking(subject, 1, Terms.PEEK, acquirer.due())).decision();
  }

  /**
   * Forgets who holds this subject's permits, and a block: for when it is known that they are gone.
   * Whoever still holds some learns it with the next renewal, and can release nothing.
   *
   * @throws StoreUnavailableException as for {@link TokenLimiter#reset}
   */
  public void reset(Subject subject) throws StoreUnavailableException {
    acquirer.amend(new Amendment.Reset(acquirer.counter(subject)));
  }

  /**
   * Grants a subject nothing of this limit for a time from now. Whoever holds permits goes on.
   *
   * @param duration whole microseconds, up to 366 days
   * @throws IllegalArgumentException when the duration is out of its range
   * @throws StoreUnavailableException as for {@link TokenLimiter#block}
   */
  public void block(Subject subject, Duration duration) throws StoreUnavailableException {
    acquirer.amend(new Amendment.Block(acquirer.counter(subject), duration));
  }

  /**
   * Renews nothing any more, for limiters that were made of this one too. What is still held ends
   * with its lease, or when it is closed.
   */
  @Override
  public void close() {
    holds.close();
  }

  /** The limiter's name and limit. */
  @Override
  public String toString() {
    return acquirer.name() + ": " + acquirer.limit();
  }
}
