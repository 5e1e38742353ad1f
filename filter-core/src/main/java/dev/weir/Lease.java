package dev.weir;

import java.time.Duration;

/**
 * What one decision holds, kept until it is released: renewed at each third of its lease, and
 * sooner when that has failed, as long as it may still be held.
 *
 * <p>The holder's own clock says how long that is, counted from before the store was asked. The
 * store's lease ends no sooner, unless its clock is set forward or it has lost its data.
 */
final class Lease {

  private static final int RENEWALS = 3;
  private static final int RETRIES = 12;

  private enum State {
    HELD,
    LOST,
    RELEASED
  }

  private final Holds holds;
  private final Receipt receipt;
  private final Duration length;
  private final HoldingTimes.Running running;
  private State state = State.HELD;
  private long endNanos;

  /**
   * When the store's lease ends at the latest: a renewal may have been made whose reply was lost.
   */
  private long latestEndNanos;

  private Alarm.Pending next;

  /**
   * @param receipt of what is held alone
   * @param askedNanos when the store was asked for it, or before
   * @param running measures how long it is held
   */
  Lease(Holds holds, Receipt receipt, long askedNanos, HoldingTimes.Running running) {
    this.holds = holds;
    this.receipt = receipt;
    this.length = shortest(receipt);
    this.running = running;
    this.endNanos = askedNanos + length.toNanos();
    this.latestEndNanos = holds.nanoTime() + length.toNanos();
    this.next = holds.renewals().in(length.dividedBy(RENEWALS), this);
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

  /** One third of the shortest lease renews all. */
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
    return holds.nanoTime() - endNanos >= 0;
  }

  /** In a trip of its own. */
  void renew() {
    long askedNanos = holds.nanoTime();
    try {
      if (holds.renew(receipt)) {
        renewed(askedNanos);
      } else {
        lose();
      }
    } catch (StoreUnavailableException unknown) {
      renewSoonOrLose();
    } catch (RuntimeException bug) {
      holds.failed(bug);
      renewSoonOrLose();
    }
  }

  /** It was, by the store that was asked then. */
  synchronized void renewed(long askedNanos) {
    if (state == State.HELD) {
      endNanos = askedNanos + length.toNanos();
      latestEndNanos = holds.nanoTime() + length.toNanos();
      next = holds.renewals().in(length.dividedBy(RENEWALS), this);
    }
  }

  private void renewSoonOrLose() {
    synchronized (this) {
      latestEndNanos = holds.nanoTime() + length.toNanos();
      if (!isOver()) {
        if (state == State.HELD) {
          next = holds.renewals().in(length.dividedBy(RETRIES), this);
        }
        return;
      }
    }
    lose();
  }

  /** Told to the listener without the lock. */
  private void lose() {
    synchronized (this) {
      if (state != State.HELD) {
        return;
      }
      state = State.LOST;
    }
    running.lost();
    holds.lost(receipt);
  }

  /** Once. What is believed to be lost is released as well: nobody else's permits go by that. */
  void release() {
    synchronized (this) {
      if (state == State.RELEASED) {
        return;
      }
      end();
      state = State.RELEASED;
      next.callOff();
    }
    releaseNow();
  }

  /** Where it is lost, how long it was held says nothing about how long work takes. */
  private void end() {
    if (isHeld()) {
      running.returned();
    } else if (state == State.HELD) {
      running.lost();
    }
  }

  /** Again and again until it has reached the store, or the lease has ended by itself. */
  private void releaseNow() {
    try {
      holds.amend(new Amendment.GiveBack(receipt));
    } catch (StoreUnavailableException unknown) {
      releaseSoon();
    } catch (RuntimeException bug) {
      holds.failed(bug);
    }
  }

  private synchronized void releaseSoon() {
    if (holds.nanoTime() - latestEndNanos < 0) {
      next = holds.alarm().in(length.dividedBy(RETRIES), this::releaseNow);
    }
  }
}
