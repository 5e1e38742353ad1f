package dev.weir;

import dev.weir.internal.permit.Permits;
import dev.weir.internal.wait.CounterQueues;
import dev.weir.store.AcquireRequest;
import dev.weir.store.Adjustment;
import dev.weir.store.Decision;
import dev.weir.store.Mode;
import dev.weir.store.OnOutage;
import dev.weir.store.StoreUnavailableException;
import dev.weir.store.Subject;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;

/**
 * What {@link TokenLimiter}, {@link PeriodLimiter} and {@link LeakyLimiter} have in common: all but
 * the algorithm. Code for any of them takes a {@code Limiter<?>}. A {@link ConcurrencyLimiter} is
 * none of them: its permits return.
 *
 * @param <S> the limiter itself
 */
public abstract sealed class Limiter<S extends Limiter<S>>
    permits TokenLimiter, PeriodLimiter, LeakyLimiter {

  private final LimiterCore core;

  Limiter(LimiterCore core) {
    this.core = core;
  }

  /** Returns the queues in which its requests wait. */
  final CounterQueues queues() {
    return core.waitQueues().queues();
  }

  /** Returns the mode that takes permits which are available now. */
  Mode atOnce() {
    return Mode.EXACTLY;
  }

  /** Returns the same limiter with another core. */
  abstract S with(LimiterCore core);

  /**
   * Returns this limiter with another deadline for decisions, which holds whatever the store does.
   *
   * @throws IllegalArgumentException when the deadline is not positive
   */
  public S withDeadline(Duration deadline) {
    return with(core.within(deadline));
  }

  /** Returns this limiter with another outage policy. */
  public S withOnOutage(OnOutage onOutage) {
    return with(core.onOutage(onOutage));
  }

  /** Acquires one permit if it is available now. */
  public Decision tryAcquire(Subject subject) {
    return tryAcquire(subject, 1);
  }

  /**
   * Acquires all these permits if they are available now, or none.
   *
   * @param permits at least 1; more than the limit's capacity is denied as never satisfiable
   * @throws IllegalArgumentException when permits is not positive
   */
  public Decision tryAcquire(Subject subject, long permits) {
    return core.decide(subject, permits, atOnce());
  }

  /**
   * Acquires as many of these permits as are available now. {@link Decision.Counted#granted}
   * returns how many. The request is denied when not even one is available.
   *
   * @param permits at least 1; may be more than the limit's capacity
   * @throws IllegalArgumentException when permits is not positive
   */
  public Decision tryAcquireUpTo(Subject subject, long permits) {
    return core.decide(subject, permits, Mode.UP_TO);
  }

  /**
   * Acquires all these permits, and waits until they may be used. If that would take too long, it
   * acquires none and returns at once. Buckets serve requests in the order of arrival from all
   * nodes. A window serves them in the order of arrival on this node.
   *
   * @param permits at least 1; more than the limit's capacity is denied as never satisfiable
   * @param maxWait how long to wait at most, at least zero; a store that is slow to decide may take
   *     its deadline on top
   * @return the decision; when it is allowed, its delay is over
   * @throws IllegalArgumentException when permits is not positive, or maxWait is negative
   * @throws InterruptedException when the thread is interrupted while it waits: its permits are
   *     refunded, unless a later request was already granted permits behind it. If the decision has
   *     been made by then, it is returned, and the thread stays interrupted
   */
  public Decision acquire(Subject subject, long permits, Duration maxWait)
      throws InterruptedException {
    return await(acquireAsync(subject, permits, maxWait));
  }

  /** If the answer has come before the cancellation, returns it, and keeps the interrupt. */
  static Decision await(CompletableFuture<Decision> answer) throws InterruptedException {
    try {
      return answer.get();
    } catch (InterruptedException e) {
      if (answer.cancel(true)) {
        throw e;
      }
      try {
        return await(answer);
      } finally {
        Thread.currentThread().interrupt();
      }
    } catch (ExecutionException e) {
      throw e.getCause() instanceof RuntimeException failure
          ? failure
          : new IllegalStateException(e.getCause());
    }
  }

  /**
   * Acquires permits as {@link #acquire} does, without a thread that waits. The store is asked on
   * this thread, within the deadline. The future completes on this thread, or on one of a few that
   * all waiting requests share. Dependents of the future must not block, or must have an executor
   * of their own.
   *
   * <p>To cancel the future is to leave the queue. So is completing it in any other way, as {@link
   * CompletableFuture#orTimeout} does. Permits are refunded as for {@link #acquire}.
   *
   * @throws IllegalArgumentException when permits is not positive, or maxWait is negative
   */
  public CompletableFuture<Decision> acquireAsync(Subject subject, long permits, Duration maxWait) {
    AcquireRequest request = core.request(subject, permits, atOnce()).begun();
    return core.waitQueues().decide(request, maxWait, Permits::decision);
  }

  /**
   * Acquires permits before it is known how many will be spent.
   *
   * @param permits at least 1; more than the limit's capacity is denied as never satisfiable
   * @throws IllegalArgumentException when permits is not positive
   */
  public Reservation reserve(Subject subject, long permits) {
    return new Reservation(core, tryAcquire(subject, permits));
  }

  /**
   * Returns the current state, and what {@link #tryAcquire(Subject)} would return, as {@link
   * #peek(Subject, long)} does. Takes nothing.
   */
  public Decision peek(Subject subject) {
    return peek(subject, 1);
  }

  /**
   * Returns the current state, and what acquiring this many permits would return. Takes nothing,
   * and promises nothing: another request may take the permits before they are requested. Permits
   * on a token lease of this node count as taken. So while it lasts, for up to 20 ms, this may
   * return a denial where {@link #tryAcquire} spends from the lease.
   *
   * @param permits at least 1
   * @throws IllegalArgumentException when permits is not positive
   */
  public Decision peek(Subject subject, long permits) {
    return core.decide(subject, permits, Mode.PEEK);
  }

  /**
   * Forgets what a subject has consumed, and a block.
   *
   * @throws StoreUnavailableException when the store could not do so by the deadline, or it is
   *     unknown whether it did. A fallback has done so even then, and decides accordingly. Once the
   *     store is back, the state that it had applies again. To repeat the call does no harm.
   */
  public void reset(Subject subject) throws StoreUnavailableException {
    core.adjust(new Adjustment.Reset(core.counter(subject)));
  }

  /**
   * Refunds permits to a subject, but no more than it has consumed. What is left never exceeds the
   * burst or the quota.
   *
   * @param permits at least 1
   * @throws IllegalArgumentException when permits is not positive
   * @throws StoreUnavailableException as for {@link #reset}, but to repeat the call may refund the
   *     permits twice
   */
  public void reward(Subject subject, long permits) throws StoreUnavailableException {
    core.adjust(new Adjustment.Reward(core.counter(subject), permits));
  }

  /**
   * Denies a subject everything of this limit for a time from now. The retry-after is the rest of
   * that time, or the limit's own wait where that is longer. A block that ends later is kept. What
   * was consumed is kept, and expires as usual.
   *
   * @param duration whole microseconds, up to 366 days
   * @throws IllegalArgumentException when the duration is out of its range
   * @throws StoreUnavailableException as for {@link #reset}; or when a fallback has no room for one
   *     more counter, though the store has done so
   */
  public void block(Subject subject, Duration duration) throws StoreUnavailableException {
    core.adjust(new Adjustment.Block(core.counter(subject), duration));
  }

  /** Returns the limiter's name and limit. */
  @Override
  public String toString() {
    return core.name() + ": " + core.limit();
  }
}
