package dev.weir.redis;

import dev.weir.Deadline;
import dev.weir.StoreUnavailableException;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;
import redis.clients.jedis.exceptions.JedisRedirectionException;

/**
 * One call on a {@link SharedTrips shared trip}, and the thread that waits for it: until it is told
 * to make a trip, until it is back from one that somebody else has made, or until its deadline.
 *
 * <p>It is told what has come of its call by whoever makes the trip, before it is woken.
 */
final class Passenger {

  private enum State {
    WAITING,
    /** On a trip that somebody is about to make. */
    ABOARD,
    /** On a trip that is on its way to Redis. */
    SENT,
    /** It is the one who makes it. */
    DRIVES,
    BACK,
    /** It has left before it was sent: it has asked for nothing. */
    GONE,
    /** It has left after it was sent: what comes of it is nobody's any more. */
    LOST
  }

  private static final long OVERSLEPT_NANOS = 10_000_000;

  private final ScriptCall call;
  private final Deadline due;
  private final Thread thread = Thread.currentThread();
  private final long comeNanos = System.nanoTime();
  private final AtomicReference<State> state = new AtomicReference<>(State.WAITING);
  private Runnable trip = () -> {};
  private volatile long sentNanos;
  private boolean hasOverslept;
  private @Nullable List<Long> reply;
  private @Nullable StoreUnavailableException failure;
  private @Nullable JedisRedirectionException elsewhere;

  Passenger(ScriptCall call, Deadline due) {
    this.call = call;
    this.due = due;
  }

  ScriptCall call() {
    return call;
  }

  Deadline due() {
    return due;
  }

  /** Takes it along; false when it waits no more. */
  boolean board() {
    return state.compareAndSet(State.WAITING, State.ABOARD);
  }

  /** Makes it the one who makes this trip; false when it waits no more. */
  boolean toDrive(Runnable itsTrip) {
    trip = itsTrip;
    return wake(State.ABOARD, State.DRIVES);
  }

  /** The trip sets out now; false when it waits no more, and is not to be taken along. */
  boolean send(long nowNanos) {
    sentNanos = nowNanos;
    return state.compareAndSet(State.ABOARD, State.SENT) || state.get() == State.DRIVES;
  }

  /** When it came. */
  long comeNanos() {
    return comeNanos;
  }

  /** When its trip set out, if it has. */
  long sentNanos() {
    return sentNanos;
  }

  /** Makes the trip, on its own thread. */
  void drive() {
    trip.run();
  }

  void replied(List<Long> integers) {
    reply = integers;
  }

  /** Unless something better is known. */
  void failedUnlessTold(StoreUnavailableException why) {
    if (reply == null && elsewhere == null) {
      failure = why;
    }
  }

  void redirected(JedisRedirectionException to) {
    elsewhere = to;
  }

  /** Lets it know what has come of it. */
  void bringBack() {
    if (!wake(State.SENT, State.BACK) && !wake(State.ABOARD, State.BACK)) {
      state.compareAndSet(State.DRIVES, State.BACK);
    }
  }

  /** There is nothing to wait for, but for who makes a trip. */
  void dismiss() {
    if (leave()) {
      LockSupport.unpark(thread);
    }
  }

  private boolean wake(State from, State to) {
    if (!state.compareAndSet(from, to)) {
      return false;
    }
    if (thread != Thread.currentThread()) {
      LockSupport.unpark(thread);
    }
    return true;
  }

  /**
   * Returns when it is to make a trip, is back, or has no more time.
   *
   * @param patienceNanos after so long without a trip, and again and again
   * @param impatience lets one begin
   * @return whether its thread was interrupted meanwhile; one that is leaves what has not begun
   */
  boolean waitForTurn(long patienceNanos, Runnable impatience) {
    boolean interrupted = false;
    long sinceNanos = comeNanos;
    while (isUnderWay()) {
      long nanos = due.remainingNanos();
      if (nanos <= 0) {
        leave();
      } else if (interrupted) {
        leaveUnsent();
      }
      if (nanos > 0 && isUnderWay()) {
        LockSupport.parkNanos(this, Math.min(nanos, patienceNanos));
        interrupted |= Thread.interrupted();
      }
      if (state.get() == State.WAITING && System.nanoTime() - sinceNanos >= patienceNanos) {
        impatience.run();
        sinceNanos = System.nanoTime();
      }
      hasOverslept |= nanos - due.remainingNanos() > patienceNanos + OVERSLEPT_NANOS;
    }
    return interrupted;
  }

  /** Whether it once came to look long after it should have; asked by its own thread. */
  boolean hasOverslept() {
    return hasOverslept;
  }

  private boolean isUnderWay() {
    State now = state.get();
    return now == State.WAITING || now == State.ABOARD || now == State.SENT;
  }

  private boolean leave() {
    return leaveUnsent() || state.compareAndSet(State.SENT, State.LOST);
  }

  /** An interrupted passenger leaves a trip that has not begun; one that has is over soon. */
  private boolean leaveUnsent() {
    return state.compareAndSet(State.WAITING, State.GONE)
        || state.compareAndSet(State.ABOARD, State.GONE);
  }

  boolean drives() {
    return state.get() == State.DRIVES;
  }

  /** Whether it has asked for nothing. */
  boolean isGone() {
    return state.get() == State.GONE;
  }

  /**
   * What has come of it; empty when nobody knows.
   *
   * @throws StoreUnavailableException when that is no reply
   * @throws JedisRedirectionException when another primary has the slot
   */
  @Nullable List<Long> reply() throws StoreUnavailableException {
    if (state.get() != State.BACK) {
      return null;
    }
    if (failure != null) {
      throw failure;
    }
    if (elsewhere != null) {
      throw elsewhere;
    }
    return reply;
  }
}
