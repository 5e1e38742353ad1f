package dev.weir.store;

import dev.weir.internal.Expect;
import dev.weir.internal.Spans;
import dev.weir.store.Decision.Receipt;
import java.time.Duration;
import java.util.Objects;

/** A change to an earlier grant, or to a counter. Immutable. */
public sealed interface Adjustment {

  /** Changes what was granted, in the store that granted it. */
  sealed interface OfReceipt extends Adjustment {

    Receipt receipt();
  }

  /**
   * Returns the permits that a receipt took, as far as others cannot have taken them since. A token
   * bucket does not refund what has refilled since the grant, and is never filled above its burst.
   * A window takes permits back only while it is the one that granted them. A concurrency limit
   * releases them. While requests wait in a bucket's queue, only the last of them is refunded, and
   * no earlier grant. A leaky bucket does not refund what has flowed out.
   *
   * <p>A lost refund only under-admits. A refund must not be made twice, unless it is of {@link
   * Receipt#held} alone. Held permits have an id of their own, so releasing them again changes
   * nothing, even when others hold permits by then.
   */
  record Refund(Receipt receipt) implements OfReceipt {

    public Refund {
      Objects.requireNonNull(receipt, "receipt");
    }
  }

  /**
   * Extends the held permits of a receipt: they expire a whole term from now. A grant that has
   * ended before is not renewed, since others may hold its permits by now. {@link
   * LimitStore#adjust} returns it.
   *
   * @param receipt only its held permits are kept: nothing else expires
   */
  record Renew(Receipt receipt) implements OfReceipt {

    public Renew {
      receipt = receipt.held();
    }
  }

  /**
   * States how many of the permits that a receipt took of each counter were spent. The rest is
   * refunded, as by {@link Refund}. What was spent beyond them becomes a debt of the counter,
   * whatever the limit has left, and delays later requests.
   *
   * <p>If it is lost, exactly what was taken counts as spent. It must not be made twice.
   *
   * @param receipt only its consumed permits are kept: held permits are released, not spent
   * @param spent at least 0
   */
  record Reconcile(Receipt receipt, long spent) implements OfReceipt {

    /**
     * @throws IllegalArgumentException when spent is negative
     */
    public Reconcile {
      receipt = receipt.consumed();
      Expect.notNegative("spent", spent);
    }
  }

  /** Changes a counter, whatever was granted of it. */
  sealed interface OfCounter extends Adjustment {

    Counter counter();
  }

  /**
   * Forgets what was consumed, and a block. Do not refund earlier grants after it: that would be
   * taken from what has been consumed since. A concurrency limit forgets its holders. They can
   * neither renew nor release what others have been granted since.
   */
  record Reset(Counter counter) implements OfCounter {

    public Reset {
      Objects.requireNonNull(counter, "counter");
    }
  }

  /**
   * Returns permits to a counter, but no more than were consumed. A bucket is never filled above
   * its burst, and a window never has more left than its quota. A fixed window returns them to the
   * current window. A sliding window begins with the permits that would return soonest. Nothing is
   * consumed of a concurrency limit: permits stay with their holders.
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
   * Denies everything on this counter for a time from now, whatever the limit has left. A block
   * that ends later is kept. What was consumed is kept, and expires as usual.
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

  /**
   * Lifts a block, whatever set it: a {@link Block} or a {@link AcquireRequest.Mode.OrBlock}. The
   * counter is then as if it had never been blocked. What was consumed before stays consumed, and
   * has expired as usual meanwhile. A counter that is not blocked does not change.
   */
  record Unblock(Counter counter) implements OfCounter {

    public Unblock {
      Objects.requireNonNull(counter, "counter");
    }
  }
}
