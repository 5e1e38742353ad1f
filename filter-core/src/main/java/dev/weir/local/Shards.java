package dev.weir.local;

import dev.weir.StoreUnavailableException;
import dev.weir.internal.CounterKeys.CounterKey;
import java.time.Duration;
import java.util.function.Consumer;
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

  private final Shard[] shards;
  private final int parts;

  /** Written under all locks, read under any. */
  private boolean closed;

  Shards(IntSupplier maxCounters, IntSupplier limits) {
    parts = maxCounters.getAsInt() < PARTS * LEAST_PER_PART ? 1 : PARTS;
    shards = new Shard[parts + 1];
    for (int i = 0; i < parts; i++) {
      shards[i] = new Shard(new LimitQuotas(() -> maxCounters.getAsInt() / parts, limits));
    }
    shards[parts] = new Shard(new LimitQuotas(() -> Integer.MAX_VALUE, () -> 0));
  }

  Shard at(int index) {
    return shards[index];
  }

  Shard overflow() {
    return shards[parts];
  }

  int indexOf(CounterKey key) {
    return ((key.hashCode() * SPREAD) >>> UNUSED_BITS) & (parts - 1);
  }

  int overflowMask() {
    return 1 << parts;
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

  /** Throws if the store is closed. Called under any of the locks. */
  void requireOpen() throws StoreUnavailableException {
    if (closed) {
      throw new StoreUnavailableException("the local store is closed", Duration.ZERO, null);
    }
  }

  /** Forgets everything permanently. */
  void close() {
    whileAllStand(
        () -> {
          closed = true;
          forEach(Shard::clear);
        });
  }

  /** Runs this action while no decision is made. */
  void whileAllStand(Runnable action) {
    int all = (1 << (parts + 1)) - 1;
    lock(all);
    try {
      action.run();
    } finally {
      unlock(all);
    }
  }

  void forEach(Consumer<Shard> action) {
    for (Shard shard : shards) {
      action.accept(shard);
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
