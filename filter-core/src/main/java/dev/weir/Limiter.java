package dev.weir;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;

/**
 * What {@link TokenLimiter}, {@link PeriodLimiter} and {@link LeakyLimiter} have in common: all but
 * the algorithm. What all can do is written here, once, and read in the Javadoc of each.
 *
 * @param <S> the limiter itself
 */
abstract sealed class Limiter<S extends Limiter<S>>
    permits TokenLimiter, PeriodLimiter, LeakyLimiter {

  private final Acquirer acquirer;

  Limiter(Acquirer acquirer) {
    this.acquirer = acquirer;
  }

  /** Where it waits. */
  final Lines lines() {
    return acquirer.waits().lines();
  }

  /** On which terms it takes permits that can be had now. */
  Terms atOnce() {
    return Terms.EXACTLY;
  }

  /** The same limiter, asking so. */
  abstract S asking(Acquirer acquirer);

  /**
   * The same limiter with another time in which a decision is answered, whatever the store does.
   *
   * @throws IllegalArgumentException when the deadline is not positive
   */
  public S withDeadline(Duration deadline) {
    return asking(acquirer.within(deadline));
  }

  /** The same limiter with another answer for when the store is gone. */
  public S withOnOutage(OnOutage onOutage) {
    return asking(acquirer.onOutage(onOutage));
  }

  /** Takes one permit if it can be had now. */
  public Decision acquire(Subject subject) {
    return acquire(subject, 1);
  }

  /**
   * Takes all these permits if they can be had now, or none.
   *
   * @param permits at least 1; more than the limit's capacity is denied as never satisfiable
   * @throws IllegalArgumentException when permits is not positive
   */
  public Decision acquire(Subject subject, long permits) {
    return acquirer.ask(subject, permits, atOnce(), acquirer.due());
  }

  /**
   * The same with the caller's own deadline.
   *
   * @param deadline how long the decision may take, more than zero
   * @throws IllegalArgumentException when permits or the deadline is not positive
   */
  public Decision acquire(Subject subject, long permits, Duration deadline) {
    return acquirer.ask(subject, permits, atOnce(), Acquirer.due(deadline));
  }

  /**
   * Takes as many of these permits as can be had now: {@link Decision.Counted#granted} tells how
   * many. It is denied when not even one can be had.
   *
   * @param permits at least 1; may be more than the limit's capacity
   * @throws IllegalArgumentException when permits is not positive
   */
  public Decision acquireUpTo(Subject subject, long permits) {
    return acquirer.ask(subject, permits, Terms.UP_TO, acquirer.due());
  }

  /**
   * Takes all these permits, and waits until they may be used; or takes none, and answers at once
   * when that would take too long. Buckets serve in the order of asking, whoever asks; a window's
   * permits go in order of arrival on this node.
   *
   * @param permits at least 1; more than the limit's capacity is denied as never satisfiable
   * @param maxWait how long to wait at most, at least zero; a store that is slow to decide may take
   *     its deadline on top
   * @return the decision; when it is allowed, its delay is over
   * @throws IllegalArgumentException when permits is not positive, or maxWait is negative
   * @throws InterruptedException when the thread is interrupted while it waits: what was taken is
   *     given back, unless others have been let in behind it
   */
  public Decision await(Subject subject, long permits, Duration maxWait)
      throws InterruptedException {
    CompletableFuture<Decision> answer = awaitAsync(subject, permits, maxWait);
    try {
      return answer.get();
    } catch (InterruptedException e) {
      answer.cancel(true);
      throw e;
    } catch (ExecutionException e) {
      throw e.getCause() instanceof RuntimeException failure
          ? failure
          : new IllegalStateException(e.getCause());
    }
  }

  /**
   * The same without a thread that waits: the store is asked on this one, within the deadline. The
   * future completes on this one, or on one of a few that all who wait share: what is done then
   * must not block, or have an executor of its own.
   *
   * <p>To cancel it, or to complete it in any other way, as {@link CompletableFuture#orTimeout}
   * does, is to leave the line. What was taken is given back as for {@link #await}.
   *
   * @throws IllegalArgumentException when permits is not positive, or maxWait is negative
   */
  public CompletableFuture<Decision> awaitAsync(Subject subject, long permits, Duration maxWait) {
    Expect.positive("permits", permits);
    Ask ask = acquirer.asking(subject, permits, atOnce(), acquirer.due().begun());
    return acquirer.waits().decide(ask, maxWait, Hold::decision);
  }

  /**
   * Takes permits of which it is not known how many will be spent.
   *
   * @param permits at least 1; more than the limit's capacity is denied as never satisfiable
   * @throws IllegalArgumentException when permits is not positive
   */
  public Reservation reserve(Subject subject, long permits) {
    return new Reservation(acquirer, acquire(subject, permits));
  }

  /** How things stand, and what {@link #acquire(Subject)} would answer. Takes nothing. */
  public Decision peek(Subject subject) {
    return peek(subject, 1);
  }

  /**
   * How things stand, and what acquiring so many permits would answer. Takes nothing, and promises
   * nothing: by the time they are asked for, somebody else may have taken them.
   *
   * @param permits at least 1
   * @throws IllegalArgumentException when permits is not positive
   */
  public Decision peek(Subject subject, long permits) {
    return acquirer.ask(subject, permits, Terms.PEEK, acquirer.due());
  }

  /**
   * Forgets what a subject has consumed, and a block.
   *
   * @throws StoreUnavailableException when the store could not do so by the deadline, or it is
   *     unknown whether it did. A fallback has done so even then: what it decides holds to it, but
   *     once the store is back, what stood there stands. To do it again does no harm.
   */
  public void reset(Subject subject) throws StoreUnavailableException {
    acquirer.amend(new Amendment.Reset(acquirer.counter(subject)));
  }

  /**
   * Gives a subject permits back, but no more than it has consumed: what is left never exceeds the
   * burst or the quota.
   *
   * @param permits at least 1
   * @throws IllegalArgumentException when permits is not positive
   * @throws StoreUnavailableException as for {@link #reset}, but to do it again may give the
   *     permits twice
   */
  public void reward(Subject subject, long permits) throws StoreUnavailableException {
    acquirer.amend(new Amendment.Reward(acquirer.counter(subject), permits));
  }

  /**
   * Denies a subject everything of this limit for a time from now, with the rest of that time as
   * retry-after, or the limit's own wait where that is longer. A block that ends later stands; what
   * was consumed is kept, and ages on.
   *
   * @param duration whole microseconds, up to 366 days
   * @throws IllegalArgumentException when the duration is out of its range
   * @throws StoreUnavailableException as for {@link #reset}; or when a fallback has no room for one
   *     counter more, though the store has done so
   */
  public void block(Subject subject, Duration duration) throws StoreUnavailableException {
    acquirer.amend(new Amendment.Block(acquirer.counter(subject), duration));
  }

  /** The limiter's name and limit. */
  @Override
  public String toString() {
    return acquirer.name() + ": " + acquirer.limit();
  }
}
