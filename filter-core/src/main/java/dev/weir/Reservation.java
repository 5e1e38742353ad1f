package dev.weir;

import java.util.concurrent.atomic.AtomicBoolean;

/**
 * Permits that are taken before it is known how many will be spent, such as the rows of a query or
 * the tokens of a model. It ends once: committed with what was spent, or cancelled.
 *
 * <pre>{@code
 * try (Reservation rows = limiter.reserve(user, 100)) {
 *   if (rows.decision().allowed()) {
 *     rows.commit(query.run());
 *   }
 * }
 * }</pre>
 *
 * <p>One that nobody ends, because its process has died, counts as spent: it ends as any grant
 * does, when the bucket has refilled or the window is over. Thread-safe.
 */
public final class Reservation implements AutoCloseable {

  private final Acquirer acquirer;
  private final Decision decision;
  private final AtomicBoolean ended = new AtomicBoolean();

  Reservation(Acquirer acquirer, Decision decision) {
    this.acquirer = acquirer;
    this.decision = decision;
  }

  /** Whether the permits were granted; nothing was taken otherwise. */
  public Decision decision() {
    return decision;
  }

  /**
   * Ends it. What was not spent is given back; what was spent beyond the reservation is owed, and
   * keeps later requests waiting. Where the outage policy had let it pass, nothing is counted.
   *
   * <p>Where Redis cannot be told in time, it is told later, in the background.
   *
   * @param spent permits, at least 0
   * @throws IllegalArgumentException when spent is negative
   * @throws IllegalStateException when it was denied, or has ended before
   * @throws StoreUnavailableException when the store that granted was told and has not answered, or
   *     is closed. The reservation may then count as spent, and no more
   */
  public void commit(long spent) throws StoreUnavailableException {
    if (spent < 0) {
      throw Expect.failure("spent", spent, ">= 0");
    }
    if (!decision.allowed()) {
      throw new IllegalStateException("reservation: denied (expected: granted)");
    }
    if (ended.getAndSet(true)) {
      throw new IllegalStateException("reservation: ended before (expected: to end once)");
    }
    if (decision instanceof Decision.Counted counted) {
      acquirer.amend(new Amendment.Settle(counted.receipt(), spent));
    }
  }

  /**
   * Ends it, if it has not ended: nothing was spent, and all is given back.
   *
   * <p>Where Redis cannot be told in time, it is told later, in the background.
   *
   * @throws StoreUnavailableException when the store that granted was told and has not answered, or
   *     is closed. The reservation may then count as spent
   */
  public void cancel() throws StoreUnavailableException {
    if (!ended.getAndSet(true) && decision instanceof Decision.Counted counted) {
      acquirer.amend(new Amendment.GiveBack(counted.receipt()));
    }
  }

  /** As {@link #cancel}; a give-back that is lost only under-admits, and is no reason to throw. */
  @Override
  public void close() {
    try {
      cancel();
    } catch (StoreUnavailableException lost) {
      // it counts as spent
    }
  }
}
