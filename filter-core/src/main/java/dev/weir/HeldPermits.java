package dev.weir;

import dev.weir.internal.Scheduler;
import java.time.Duration;

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

  private final PermitManager permitManager;
  private final Receipt receipt;
  private final Duration length;
  private final HoldingTimes.Running running;
  private State state = State.HELD;
  private long endNanos;

  /**
   * When they expire in the store at the latest: a renewal may have been made whose reply was lost.
   */
  private long latestEndNanos;

  private Scheduler.Pending next;

  /**
   * @param receipt of held permits alone
   * @param askedNanos when the request was sent, or before
   * @param running measures how long they are held
   */
  HeldPermits(
      PermitManager permitManager, Receipt receipt, long askedNanos, HoldingTimes.Running running) {
    this.permitManager = permitManager;
    this.receipt = receipt;
    this.length = shortest(receipt);
    this.running = running;
    this.endNanos = askedNanos + length.toNanos();
    this.latestEndNanos = permitManager.nanoTime() + length.toNanos();
    this.next = permitManager.renewals().in(length.dividedBy(RENEWALS), this);
  }

  Receipt receipt() {
    return receipt;
  }

  HoldingTimes.Running running() {
    return running;
  }

  /** How many permits are held, of all counters together. */
  long permits() {
    return receipt.grants().stream().mapToLong(grant -> grant.charge().permits()).sum();
  }

  /** The store that granted it. */
  Source source() {
    return receipt.source();
  }

  /** The shortest time to live, since all are renewed together. */
  private static Duration shortest(Receipt receipt) {
    return receipt.grants().stream()
        .map(grant -> grant.charge().counter().limit().timeToFull())
        .min(Duration::compareTo)
        .orElseThrow();
  }

  synchronized boolean isHeld() {
    return state == State.HELD && !isOver();
  }

  private boolean isOver() {
    return permitManager.nanoTime() - endNanos >= 0;
  }

  /** Renews them in a call of their own. */
  void renew() {
    long askedNanos = permitManager.nanoTime();
    try {
      if (permitManager.renew(receipt)) {
        renewed(askedNanos);
      } else {
        lose();
      }
    } catch (StoreUnavailableException unknown) {
      renewSoonOrLose();
    } catch (RuntimeException bug) {
      permitManager.failed(bug);
      renewSoonOrLose();
    }
  }

  /** The store has renewed them in a call that began then. */
  synchronized void renewed(long askedNanos) {
    if (state == State.HELD) {
      endNanos = askedNanos + length.toNanos();
      latestEndNanos = permitManager.nanoTime() + length.toNanos();
      next = permitManager.renewals().in(length.dividedBy(RENEWALS), this);
    }
  }

  private void renewSoonOrLose() {
    synchronized (this) {
      latestEndNanos = permitManager.nanoTime() + length.toNanos();
      if (!isOver()) {
        if (state == State.HELD) {
          next = permitManager.renewals().in(length.dividedBy(RETRIES), this);
        }
        return;
      }
    }
    lose();
  }

  /** Notifies the listener without the lock. */
  private void lose() {
    synchronized (this) {
      if (state != State.HELD) {
        return;
      }
      state = State.LOST;
    }
    running.lost();
    permitManager.lost(receipt);
  }

  /** Releases them once, even if they seem lost: that never frees permits of others. */
  void release() {
    synchronized (this) {
      if (state == State.RELEASED) {
        return;
      }
      end();
      state = State.RELEASED;
      next.cancel();
    }
    releaseNow();
  }

  /** The holding time of lost permits says nothing about how long work takes. */
  private void end() {
    if (isHeld()) {
      running.returned();
    } else if (state == State.HELD) {
      running.lost();
    }
  }

  /** Tries until the release has reached the store, or the permits have expired. */
  private void releaseNow() {
    try {
      permitManager.adjust(new Adjustment.Refund(receipt));
    } catch (StoreUnavailableException unknown) {
      releaseSoon();
    } catch (RuntimeException bug) {
      permitManager.failed(bug);
    }
  }

  private synchronized void releaseSoon() {
    if (permitManager.nanoTime() - latestEndNanos < 0) {
      next = permitManager.scheduler().in(length.dividedBy(RETRIES), this::releaseNow);
    }
  }
}
