package dev.weir.internal.permit;

import dev.weir.internal.store.Scheduler;
import dev.weir.store.Adjustment;
import dev.weir.store.Deadline;
import dev.weir.store.Decision.Receipt;
import dev.weir.store.StoreUnavailableException;
import java.time.Duration;
import java.util.Collections;
import java.util.List;

/**
 * The permits that one decision holds, renewed until they are released: at each third of their time
 * to live, and sooner after a failed renewal, as long as they may still be held.
 *
 * <p>They expire by the holder's clock, counted from before the request was sent. In the store they
 * expire no sooner, unless its clock is set forward or it has lost its data.
 */
final class HeldPermits {

  private static final int RENEWALS = 3;
  private static final int RETRIES = 12;

  private enum State {
    HELD,
    LOST,
    RELEASED
  }

  private final PermitManager manager;
  final Receipt receipt;

  /** The shortest time to live, since all are renewed together. */
  private final Duration length;

  /** The longest time to live: the store may hold some of them for that long. */
  private final Duration longest;

  private final long sentNanos;
  private State state = State.HELD;
  private long endNanos;

  /**
   * When the last of them expires in the store at the latest: a renewal may have been made whose
   * reply was lost.
   */
  private long latestEndNanos;

  private Scheduler.Pending next;

  /**
   * Starts to renew them.
   *
   * @param receipt of held permits alone
   * @param sentNanos when the request was sent, or before
   */
  HeldPermits(PermitManager manager, Receipt receipt, long sentNanos) {
    this.manager = manager;
    this.receipt = receipt;
    this.length = Collections.min(timesToLive(receipt));
    this.longest = Collections.max(timesToLive(receipt));
    this.sentNanos = sentNanos;
    this.endNanos = sentNanos + length.toNanos();
    this.latestEndNanos = manager.nanoTime() + longest.toNanos();
    this.next = manager.renewals.in(length.dividedBy(RENEWALS), this);
  }

  /** How many permits are held, of all counters together. */
  long permits() {
    return receipt.grants().stream().mapToLong(grant -> grant.charge().permits()).sum();
  }

  private static List<Duration> timesToLive(Receipt receipt) {
    return receipt.grants().stream()
        .map(grant -> grant.charge().counter().limit().timeToFull())
        .toList();
  }

  synchronized boolean isHeld() {
    return state == State.HELD && !isOver();
  }

  private boolean isOver() {
    return manager.nanoTime() - endNanos >= 0;
  }

  /** The store has renewed them in a call that began then. */
  void renewed(long sentNanos) {
    hold(sentNanos + length.toNanos(), RENEWALS);
  }

  /** The outcome of a renewal is unknown. It is tried again while they may still be held. */
  void renewSoonOrLose() {
    hold(endNanos, RETRIES); // only renewals change it, one after the other
  }

  /** Holds them until then, and renews them again after a part of their time, or loses them. */
  private void hold(long newEndNanos, int parts) {
    synchronized (this) {
      latestEndNanos = manager.nanoTime() + longest.toNanos();
      if (!isOver()) {
        if (state == State.HELD) {
          endNanos = newEndNanos;
          next = manager.renewals.in(length.dividedBy(parts), this);
        }
        return;
      }
    }
    lose();
  }

  /** Notifies the listener without the lock. */
  void lose() {
    synchronized (this) {
      if (state != State.HELD) {
        return;
      }
      state = State.LOST;
    }
    manager.listener.onPermitsLost(receipt);
  }

  /** Releases them once, even if they seem lost: that never frees permits of others. */
  void release() {
    synchronized (this) {
      if (state == State.RELEASED) {
        return;
      }
      if (isHeld()) { // the holding time of lost permits says nothing about how long work takes
        manager.times.returned(receipt, manager.nanoTime() - sentNanos);
      }
      state = State.RELEASED;
      next.cancel();
    }
    releaseNow();
  }

  /** Tries until the release has reached the store, or all permits have expired. */
  private void releaseNow() {
    try {
      manager.store.adjust(new Adjustment.Refund(receipt), Deadline.after(manager.deadline));
    } catch (StoreUnavailableException unknown) {
      synchronized (this) {
        if (manager.nanoTime() - latestEndNanos < 0) {
          next = manager.scheduler.in(length.dividedBy(RETRIES), this::releaseNow);
        }
      }
    } catch (RuntimeException bug) {
      manager.failed(bug);
    }
  }
}
