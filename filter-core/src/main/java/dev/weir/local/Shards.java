package dev.weir.local;

import dev.weir.Counter;
import dev.weir.StoreUnavailableException;
import dev.weir.internal.CounterKeys;
import dev.weir.internal.CounterKeys.CounterKey;
import dev.weir.local.OutageClock.Now;
import java.time.Duration;
import java.util.function.IntSupplier;

/**
 * The map in parts, so that decisions about different counters do not wait for each other. One more
 * part holds the overflow counters. Locks are always taken in the order of the parts, the
 * overflow's last, so no deadlock is possible. A set of parts is a bit mask.
 */
final class Shards {

  private static final int PARTS = 16;

  /** A smaller part would be too small to fill evenly. */
  private static final int LEAST_PER_PART = 256;

  /**
   * Makes the upper bits of a hash independent of the lower bits, which each part's own map uses.
   */
  private static final int SPREAD = 0x9E3779B1;

  private static final int UNUSED_BITS = 28;

  private final CounterKeys counterKeys = new CounterKeys();
  private final Shard[] shards;
  private final int parts;

  /** Changed under all locks, read under any. */
  private final OutageClock clock;

  /** Written under all locks, read under any. */
  private boolean closed;

  Shards(LocalOptions options) {
    IntSupplier maxCounters = options.maxCounters();
    clock = new OutageClock(options.ticker(), options.calendar());
    parts = maxCounters.getAsInt() < PARTS * LEAST_PER_PART ? 1 : PARTS;
    shards = new Shard[parts + 1];
    for (int i = 0; i < parts; i++) {
      shards[i] =
          new Shard(new LimitQuotas(() -> maxCounters.getAsInt() / parts, options.limits()));
    }
    shards[parts] = new Shard(new LimitQuotas(() -> Integer.MAX_VALUE, () -> 0));
  }

  CounterKey keyOf(Counter counter) {
    return counterKeys.of(counter);
  }

  /** Returns the key of the counter that subjects of this limit without their own one share. */
  CounterKey overflowKey(String limit) {
    return counterKeys.ofOverflow(limit);
  }

  /** Returns whether subjects without their own counter share this entry. */
  boolean isOverflow(Entry entry) {
    return entry.key().equals(overflowKey(entry.limit()));
  }

  Shard of(CounterKey key) {
    return shards[indexOf(key)];
  }

  Shard overflow() {
    return shards[parts];
  }

  int mask(CounterKey key) {
    return 1 << indexOf(key);
  }

  int overflowMask() {
    return 1 << parts;
  }

  private int indexOf(CounterKey key) {
    return ((key.hashCode() * SPREAD) >>> UNUSED_BITS) & (parts - 1);
  }

  void lock(int mask) {
    for (int left = mask; left != 0; left &= left - 1) {
      shards[Integer.numberOfTrailingZeros(left)].lock();
    }
  }

  void unlock(int mask) {
    for (int left = mask; left != 0; left &= left - 1) {
      shards[Integer.numberOfTrailingZeros(left)].unlock();
    }
  }

  /**
   * Returns the time of a decision or change. Called under any of the locks.
   *
   * @throws StoreUnavailableException when the store is closed
   */
  Now now() throws StoreUnavailableException {
    if (closed) {
      throw new StoreUnavailableException("the local store is closed", Duration.ZERO, null);
    }
    return clock.now();
  }

  /** Lets the clock run, unless it runs already. */
  void resume() {
    underAllLocks(
        () -> {
          long gapNanos = clock.start();
          for (Shard shard : shards) {
            shard.addGap(gapNanos);
          }
        });
  }

  /** Pauses the clock, unless it is paused already. */
  void suspend() {
    underAllLocks(clock::stop);
  }

  /** Forgets everything permanently. */
  void close() {
    underAllLocks(
        () -> {
          closed = true;
          for (Shard shard : shards) {
            shard.clear();
          }
        });
  }

  /** Runs this action while no decision is made. */
  private void underAllLocks(Runnable action) {
    int all = (1 << (parts + 1)) - 1;
    lock(all);
    try {
      action.run();
    } finally {
      unlock(all);
    }
  }

  /** Returns how many counters are held. It is approximate during concurrent decisions. */
  long size() {
    long size = 0;
    for (Shard shard : shards) {
      size += shard.size();
    }
    return size;
  }
}
