package dev.weir;

import java.time.Duration;
import java.util.Objects;

/** A change to what was decided before, or to what will be. */
public sealed interface Amendment {

  /** One that is made to what was granted, in the store that granted it. */
  sealed interface OfReceipt extends Amendment {

    Receipt receipt();
  }

  /**
   * Gives back all that a receipt took. A bucket is never filled above its burst; a window takes
   * permits back only while it is the one that granted them; of a concurrency limit, they are
   * released. While others wait in line, only the last of them gives back what he has not used; and
   * in a leaky bucket, what has flowed out is out.
   *
   * <p>A give-back that is lost only under-admits. It must not be made twice, but for one of {@link
   * Receipt#held} alone: a hold is known by its own id, so to release one that has ended, or was
   * released before, changes nothing, whoever holds permits since.
   */
  record GiveBack(Receipt receipt) implements OfReceipt {

    public GiveBack {
      Objects.requireNonNull(receipt, "receipt");
    }
  }

  /**
   * Begins the leases of what is held by a receipt anew: they end a whole lease from now. It is not
   * made where one has ended before, for somebody else may hold the permits by now.
   *
   * @param receipt only what it holds is kept: nothing else has a lease
   */
  record Renew(Receipt receipt) implements OfReceipt {

    public Renew {
      receipt = receipt.held();
    }
  }

  /**
   * Tells what was spent of what a receipt took of each counter. Less is given back, as by {@link
   * GiveBack}; what is more is owed from now on, whatever the limit has left, and keeps later
   * requests waiting.
   *
   * <p>One that is lost counts as all spent, and no more. It must not be made twice.
   *
   * @param receipt only what it has consumed is kept: what is held is released, not spent
   * @param spent at least 0
   */
  record Settle(Receipt receipt, long spent) implements OfReceipt {

    /**
     * @throws IllegalArgumentException when spent is negative
     */
    public Settle {
      receipt = receipt.consumed();
      if (spent < 0) {
        throw Expect.failure("spent", spent, ">= 0");
      }
    }
  }

  /** One that is made to a counter, whoever was granted what of it. */
  sealed interface OfCounter extends Amendment {

    Counter counter();
  }

  /**
   * Forgets what was consumed, and a block. What was granted before should not be given back after:
   * that would be taken from what is consumed since. Of a concurrency limit it forgets the holders:
   * they can neither renew nor release what others have been granted since.
   */
  record Reset(Counter counter) implements OfCounter {

    public Reset {
      Objects.requireNonNull(counter, "counter");
    }
  }

  /**
   * Gives permits back, but no more than were consumed: a bucket is never filled above its burst,
   * and a window has never more left than its quota. Of a fixed window, it is the one in use; of a
   * sliding one, those permits come first that would return soonest. Of a concurrency limit nothing
   * is consumed: its permits are with their holders, and are left there.
   *
   * @param permits at least 1
   */
  record Reward(Counter counter, long permits) implements OfCounter {

    /**
     * @throws IllegalArgumentException when permits is not positive
     */
    public Reward {
      Objects.requireNonNull(counter, "counter");
      Expect.positive("permits", permits);
    }
  }

  /**
   * Ends a node's lease: what was not spent of it is given back, if the lease is still alive in the
   * store; otherwise it is lost there already. It must not be made twice.
   *
   * @param settled of which nothing is kept
   */
  record EndLease(Counter counter, LeaseSettlement settled) implements OfCounter {

    /**
     * @throws IllegalArgumentException when something is kept
     */
    public EndLease {
      Objects.requireNonNull(counter, "counter");
      if (settled.kept() != 0) {
        throw Expect.failure("kept", settled.kept(), "0, where a lease ends");
      }
    }
  }

  /**
   * Denies everything on this counter for a time from now, whatever the limit has left. One that
   * ends later stands. What was consumed is kept, and ages on.
   *
   * @param duration whole microseconds, up to 366 days
   */
  record Block(Counter counter, Duration duration) implements OfCounter {

    /**
     * @throws IllegalArgumentException when the duration is out of its range
     */
    public Block {
      Objects.requireNonNull(counter, "counter");
      Spans.validate("duration", duration);
    }
  }
}
