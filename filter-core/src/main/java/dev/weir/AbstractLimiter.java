package dev.weir;

import dev.weir.internal.permit.Permits;
import dev.weir.internal.wait.CounterQueues;
import dev.weir.store.AcquireRequest;
import dev.weir.store.AcquireRequest.Mode;
import dev.weir.store.Adjustment;
import dev.weir.store.Decision;
import dev.weir.store.LimiterListener;
import dev.weir.store.OnOutage;
import dev.weir.store.StoreUnavailableException;
import dev.weir.store.Subject;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;

/**
 * What all limiters have in common: acquiring, waiting, peeking and changing. In place of a
 * subject, each method takes a string, which is {@link Subject#of(String)}. Immutable and
 * thread-safe.
 *
 * <p>Without a number of permits, a method is for one. More permits than a limit's capacity are
 * denied as never satisfiable. A number that is not positive throws {@link
 * IllegalArgumentException}.
 *
 * <p>No method that acquires or peeks throws for an outage: when the store cannot decide by the
 * deadline, the outage policy does.
 *
 * @param <R> the result of acquiring
 * @param <S> the limiter itself
 */
abstract sealed class AbstractLimiter<R, S extends AbstractLimiter<R, S>>
    permits Limiter, ConcurrencyLimiter {

  /** Longer than any limit takes to have room again, unless its subject is blocked. */
  private static final Duration LONGEST_WAIT = Duration.ofDays(366);

  /** How often {@link #acquire} asks again where the store lets no request wait. */
  private static final Duration RETRY = Duration.ofSeconds(1);

  final LimiterCore core;

  AbstractLimiter(LimiterCore core) {
    this.core = core;
  }

  /** Returns the mode that takes permits which are available now. */
  Mode atOnce() {
    return Mode.EXACTLY;
  }

  /** Decides now. */
  abstract R decide(AcquireRequest request);

  /** Returns the result of a decision that may have been waited for. */
  abstract R result(Permits permits);

  /** Returns what was decided. */
  abstract Decision decision(R result);

  /** Returns the same limiter with another core. */
  abstract S with(LimiterCore newCore);

  /**
   * Returns this limiter with another deadline for decisions and changes, which holds whatever the
   * store does. The default is 100 ms. Redis has a deadline for each reply as well, {@link
   * dev.weir.redis.RedisOptions#withDeadline}, which a longer deadline here does not extend.
   *
   * @throws IllegalArgumentException when the deadline is not positive
   */
  public S withDeadline(Duration deadline) {
    return with(core.within(deadline));
  }

  /** Returns this limiter with another outage policy. The default is {@link OnOutage#LOCAL}. */
  public S withOnOutage(OnOutage onOutage) {
    return with(core.onOutage(onOutage));
  }

  /**
   * Returns this limiter with a listener, in place of another. It is notified of the limiter's
   * decisions, including reservations and those of the outage policy, and of what is lost. What
   * happens to a shared store is reported to the store's own listener, {@link
   * dev.weir.Stores.Builder#listener}.
   */
  public S withListener(LimiterListener listener) {
    return with(core.reportingTo(listener));
  }

  /** Acquires one permit if it is available now. */
  public R tryAcquire(Subject subject) {
    return tryAcquire(subject, 1);
  }

  /** Acquires one permit for {@link Subject#of(String)} if it is available now. */
  public R tryAcquire(String subject) {
    return tryAcquire(Subject.of(subject));
  }

  /** Acquires all these permits if they are available now, or none. */
  public R tryAcquire(Subject subject, long permits) {
    return decide(core.request(subject, permits, atOnce()));
  }

  /** Acquires all these permits if they are available now, or none. */
  public R tryAcquire(String subject, long permits) {
    return tryAcquire(Subject.of(subject), permits);
  }

  /** Acquires one permit as {@link #tryAcquire(Subject, long, Duration)} does. */
  public R tryAcquire(Subject subject, Duration maxWait) throws InterruptedException {
    return tryAcquire(subject, 1, maxWait);
  }

  /** Acquires one permit as {@link #tryAcquire(Subject, long, Duration)} does. */
  public R tryAcquire(String subject, Duration maxWait) throws InterruptedException {
    return tryAcquire(Subject.of(subject), maxWait);
  }

  /**
   * Acquires all these permits, and waits until they may be used. If that would take too long, it
   * acquires none and returns at once.
   *
   * <p>A limiter of one bucket serves requests in the order of arrival from all nodes. A limiter of
   * a window, of concurrency or of several limits serves them in the order of arrival on this node.
   *
   * <p><b>In an outage, a limiter of one bucket lets no request wait.</b> What the fallback does
   * not grant is denied at once, whatever {@code maxWait} and the retry-after are. {@link
   * #acquire(Subject, long)} asks again. A limiter of a window, of concurrency or of several limits
   * waits as usual, for what the fallback counts. If the outage policy decides without counting, no
   * request waits.
   *
   * @param maxWait how long to wait at most, at least zero; a store that is slow to decide may take
   *     its deadline on top
   * @return the decision; when it is allowed, its delay is over
   * @throws IllegalArgumentException when permits is not positive, or maxWait is negative
   * @throws InterruptedException when the thread is interrupted while it waits: its permits are
   *     refunded, unless a later request was already granted permits behind it. If the decision has
   *     been made by then, it is returned, and the thread stays interrupted
   */
  public R tryAcquire(Subject subject, long permits, Duration maxWait) throws InterruptedException {
    CounterQueues queues = core.waitQueues().queues();
    return await(queues.beginBlocking(() -> tryAcquireAsync(subject, permits, maxWait)));
  }

  /** Acquires permits as {@link #tryAcquire(Subject, long, Duration)} does. */
  public R tryAcquire(String subject, long permits, Duration maxWait) throws InterruptedException {
    return tryAcquire(Subject.of(subject), permits, maxWait);
  }

  /** If the result has come before the cancellation, returns it, and keeps the interrupt. */
  static <R> R await(CompletableFuture<R> answer) throws InterruptedException {
    try {
      return answer.get();
    } catch (InterruptedException e) {
      if (answer.cancel(true)) {
        throw e;
      }
      Thread.currentThread().interrupt();
      return await(answer); // it is complete, so this does not wait
    } catch (ExecutionException e) {
      throw e.getCause() instanceof RuntimeException failure
          ? failure
          : new IllegalStateException(e.getCause());
    }
  }

  /** Acquires one permit as {@link #acquire(Subject, long)} does. */
  public R acquire(Subject subject) throws InterruptedException {
    return acquire(subject, 1);
  }

  /** Acquires one permit as {@link #acquire(Subject, long)} does. */
  public R acquire(String subject) throws InterruptedException {
    return acquire(Subject.of(subject));
  }

  /**
   * Acquires all these permits, and waits for as long as it takes. When this returns, they are
   * acquired. Where no wait can help, it throws at once: more permits than a limit's capacity are
   * requested, or the outage policy denies.
   *
   * <p>Where the store lets no request wait, this asks again at the retry-after, or after a second
   * if that is less. So it is while the subject is blocked, a leaky bucket is full, or a fallback
   * decides. The order of requests is then not kept.
   *
   * @return an allowed decision
   * @throws LimitExceededException when waiting does not help
   * @throws InterruptedException as for {@link #tryAcquire(Subject, long, Duration)}
   */
  public R acquire(Subject subject, long permits) throws InterruptedException {
    while (true) {
      R result = tryAcquire(subject, permits, LONGEST_WAIT);
      Decision decision = decision(result);
      if (decision.allowed()) {
        return result;
      }
      Duration retry = decision.retryAfter().orElse(Duration.ZERO);
      if (decision instanceof Decision.ByPolicy || retry.isZero()) {
        throw new LimitExceededException(core, subject, decision);
      }
      core.waitQueues().queues().sleep(retry.compareTo(RETRY) < 0 ? retry : RETRY);
    }
  }

  /** Acquires permits as {@link #acquire(Subject, long)} does. */
  public R acquire(String subject, long permits) throws InterruptedException {
    return acquire(Subject.of(subject), permits);
  }

  /** Acquires one permit as {@link #acquireOrThrow(Subject, long)} does. */
  public R acquireOrThrow(Subject subject) {
    return acquireOrThrow(subject, 1);
  }

  /** Acquires one permit as {@link #acquireOrThrow(Subject, long)} does. */
  public R acquireOrThrow(String subject) {
    return acquireOrThrow(Subject.of(subject));
  }

  /**
   * Acquires all these permits if they are available now, as {@link #tryAcquire(Subject, long)}
   * does, and throws if they are not.
   *
   * @return an allowed decision
   * @throws LimitExceededException when they are denied, whether by a limit or by the outage policy
   */
  public R acquireOrThrow(Subject subject, long permits) {
    return allowed(subject, tryAcquire(subject, permits));
  }

  /** Acquires permits as {@link #acquireOrThrow(Subject, long)} does. */
  public R acquireOrThrow(String subject, long permits) {
    return acquireOrThrow(Subject.of(subject), permits);
  }

  /** Acquires one permit as {@link #acquireOrThrow(Subject, long, Duration)} does. */
  public R acquireOrThrow(Subject subject, Duration maxWait) throws InterruptedException {
    return acquireOrThrow(subject, 1, maxWait);
  }

  /** Acquires one permit as {@link #acquireOrThrow(Subject, long, Duration)} does. */
  public R acquireOrThrow(String subject, Duration maxWait) throws InterruptedException {
    return acquireOrThrow(Subject.of(subject), maxWait);
  }

  /**
   * Acquires all these permits, and waits as {@link #tryAcquire(Subject, long, Duration)} does. It
   * throws at once if that would take too long.
   *
   * @return an allowed decision; its delay is over
   * @throws LimitExceededException when they are denied, whether by a limit or by the outage policy
   * @throws InterruptedException as for {@link #tryAcquire(Subject, long, Duration)}
   */
  public R acquireOrThrow(Subject subject, long permits, Duration maxWait)
      throws InterruptedException {
    return allowed(subject, tryAcquire(subject, permits, maxWait));
  }

  /** Acquires permits as {@link #acquireOrThrow(Subject, long, Duration)} does. */
  public R acquireOrThrow(String subject, long permits, Duration maxWait)
      throws InterruptedException {
    return acquireOrThrow(Subject.of(subject), permits, maxWait);
  }

  private R allowed(Subject subject, R result) {
    if (!decision(result).allowed()) {
      throw new LimitExceededException(core, subject, decision(result));
    }
    return result;
  }

  /** Acquires one permit as {@link #tryAcquireAsync(Subject, long, Duration)} does. */
  public CompletableFuture<R> tryAcquireAsync(Subject subject, Duration maxWait) {
    return tryAcquireAsync(subject, 1, maxWait);
  }

  /** Acquires one permit as {@link #tryAcquireAsync(Subject, long, Duration)} does. */
  public CompletableFuture<R> tryAcquireAsync(String subject, Duration maxWait) {
    return tryAcquireAsync(Subject.of(subject), maxWait);
  }

  /**
   * Acquires permits as {@link #tryAcquire(Subject, long, Duration)} does, without a thread that
   * waits. A denial also completes the future normally. The store is asked on this thread, within
   * the deadline. The future completes on this thread, or on one of a few that all waiting requests
   * share. Dependents of the future must not block, or must have an executor of their own.
   *
   * <p>To cancel the future is to leave the queue. So is completing it in any other way, as {@link
   * CompletableFuture#orTimeout} does. Permits are then refunded, unless a later request was
   * already granted permits behind it.
   *
   * @throws IllegalArgumentException when permits is not positive, or maxWait is negative
   */
  public CompletableFuture<R> tryAcquireAsync(Subject subject, long permits, Duration maxWait) {
    AcquireRequest request = core.request(subject, permits, atOnce()).begun();
    return core.waitQueues().decide(request, maxWait, this::result);
  }

  /** Acquires permits as {@link #tryAcquireAsync(Subject, long, Duration)} does. */
  public CompletableFuture<R> tryAcquireAsync(String subject, long permits, Duration maxWait) {
    return tryAcquireAsync(Subject.of(subject), permits, maxWait);
  }

  /** Returns what {@link #peek(Subject, long)} returns for one permit. */
  public Decision peek(Subject subject) {
    return peek(subject, 1);
  }

  /** Returns what {@link #peek(Subject, long)} returns for one permit. */
  public Decision peek(String subject) {
    return peek(Subject.of(subject));
  }

  /**
   * Returns the current state, and what acquiring this many permits would return. Takes nothing,
   * and promises nothing: another request may take the permits before they are requested. Permits
   * on a token lease of this node count as taken. So while it lasts, for up to 20 ms, this may
   * return a denial where {@link #tryAcquire} spends from the lease.
   */
  public Decision peek(Subject subject, long permits) {
    return core.permitManager().decide(core.request(subject, permits, Mode.PEEK)).decision();
  }

  /** Returns what {@link #peek(Subject, long)} returns. */
  public Decision peek(String subject, long permits) {
    return peek(Subject.of(subject), permits);
  }

  /**
   * Forgets what a subject has consumed, the holders of its permits, and a block. Forgotten holders
   * lose their permits at the next renewal, and can release nothing.
   *
   * @throws StoreUnavailableException when the store could not do so by the deadline, or it is
   *     unknown whether it did. A fallback has done so even then, and decides accordingly. Once the
   *     store is back, the state that it had applies again. To repeat the call does no harm.
   */
  public void reset(Subject subject) throws StoreUnavailableException {
    core.adjustEach(subject, Adjustment.Reset::new);
  }

  /** Forgets what {@link #reset(Subject)} forgets. */
  public void reset(String subject) throws StoreUnavailableException {
    reset(Subject.of(subject));
  }

  /**
   * Denies a subject everything of this limiter for a time from now. The retry-after is the rest of
   * that time, or the limit's own wait where that is longer. A block that ends later is kept. What
   * was consumed is kept, and expires as usual. Held permits stay held.
   *
   * @param duration whole microseconds, up to 366 days
   * @throws IllegalArgumentException when the duration is out of its range
   * @throws StoreUnavailableException as for {@link #reset}; or when a fallback has no room for one
   *     more counter, though the store has done so
   */
  public void block(Subject subject, Duration duration) throws StoreUnavailableException {
    core.adjustEach(subject, counter -> new Adjustment.Block(counter, duration));
  }

  /** Denies a subject everything as {@link #block(Subject, Duration)} does. */
  public void block(String subject, Duration duration) throws StoreUnavailableException {
    block(Subject.of(subject), duration);
  }

  /**
   * Lifts a block of a subject, and nothing else. What is left is then what would be left without
   * that block. A subject that is not blocked does not change. {@link #reset} would give it its
   * whole quota, too.
   *
   * @throws StoreUnavailableException as for {@link #reset}
   */
  public void unblock(Subject subject) throws StoreUnavailableException {
    core.adjustEach(subject, Adjustment.Unblock::new);
  }

  /** Lifts a block as {@link #unblock(Subject)} does. */
  public void unblock(String subject) throws StoreUnavailableException {
    unblock(Subject.of(subject));
  }

  /** Returns each limit with its name. */
  @Override
  public String toString() {
    return core.toString();
  }
}
