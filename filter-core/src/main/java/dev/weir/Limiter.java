package dev.weir;

import dev.weir.internal.permit.Permits;
import dev.weir.store.AcquireRequest;
import dev.weir.store.Adjustment;
import dev.weir.store.Decision;
import dev.weir.store.StoreUnavailableException;
import dev.weir.store.Subject;

/**
 * What {@link TokenLimiter}, {@link PeriodLimiter}, {@link LeakyLimiter} and {@link MultiLimiter}
 * have in common: all but the algorithm. Code for any of them takes a {@code Limiter<?>}. A {@link
 * ConcurrencyLimiter} is none of them: its permits return.
 *
 * <p>No method that acquires or peeks throws for an outage, nor after the store was closed. When
 * the store cannot decide by the deadline, the outage policy does. In an outage, no request waits
 * for a bucket, see {@link #tryAcquire(Subject, long, java.time.Duration)}.
 *
 * @param <S> the limiter itself
 */
public abstract sealed class Limiter<S extends Limiter<S>> extends AbstractLimiter<Decision, S>
    permits TokenLimiter, PeriodLimiter, LeakyLimiter, MultiLimiter {

  Limiter(LimiterCore core) {
    super(core);
  }

  @Override
  final Decision decide(AcquireRequest request) {
    return core.decide(request);
  }

  @Override
  final Decision result(Permits permits) {
    return permits.decision();
  }

  @Override
  final Decision decision(Decision result) {
    return result;
  }

  /**
   * Acquires as many of these permits as are available now. {@link Decision#granted} returns how
   * many. The request is denied when not even one is available.
   *
   * @param permits at least 1; may be more than the limit's capacity
   */
  public Decision tryAcquireUpTo(Subject subject, long permits) {
    return decide(core.request(subject, permits, AcquireRequest.Mode.UP_TO));
  }

  /** Acquires permits as {@link #tryAcquireUpTo(Subject, long)} does. */
  public Decision tryAcquireUpTo(String subject, long permits) {
    return tryAcquireUpTo(Subject.of(subject), permits);
  }

  /**
   * Acquires permits before it is known how many will be spent, as {@link #tryAcquire(Subject,
   * long)} does: it does not wait, and {@link Reservation#decision} may be a denial. Close the
   * reservation, best by try-with-resources. A {@link MultiLimiter} takes this number of each
   * limit.
   *
   * @param permits at least 1
   * @throws IllegalArgumentException when permits is not positive
   */
  public Reservation reserve(Subject subject, long permits) {
    return new Reservation(core.permitManager(), tryAcquire(subject, permits));
  }

  /** Acquires permits as {@link #reserve(Subject, long)} does. */
  public Reservation reserve(String subject, long permits) {
    return reserve(Subject.of(subject), permits);
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
    core.adjustEach(subject, counter -> new Adjustment.Reward(counter, permits));
  }

  /** Refunds permits as {@link #reward(Subject, long)} does. */
  public void reward(String subject, long permits) throws StoreUnavailableException {
    reward(Subject.of(subject), permits);
  }
}
