package dev.weir.local;

import dev.weir.StoreUnavailableException;
import dev.weir.internal.CounterKey;
import java.time.Duration;
import java.util.function.Consumer;
import java.util.function.IntSupplier;

/**
 * The map in parts, so that decisions about different counters do not wait for each other, and one
 * part more for the counters that overflow. Locks are always taken in the order of the parts, the
 * overflow's last, so nobody waits in a circle. A set of parts is a bit mask.
 */
final class Shards {

  private static final int PARTS = 16;

  /** Below this a part would be too small to fill evenly. */
  private static final int LEAST_PER_PART = 256;

  /** Takes the upper bits of a hash apart from the lower, by which each part's own map goes. */
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
      shards[i] = new Shard(new Allotment(() -> maxCounters.getAsInt() / parts, limits));
    }
    shards[parts] = new Shard(new Allotment(() -> Integer.MAX_VALUE, () -> 0));
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

  /** Under any of the locks. */
  void requireOpen() throws StoreUnavailableException {
    if (closed) {
      throw new StoreUnavailableException("the local store is closed", Duration.ZERO, null);
    }
  }

  /** Forgets everything, for good. */
  void close() {
    whileAllStand(
        () -> {
          closed = true;
          forEach(Shard::clear);
        });
  }

  /** Runs this while nobody decides. */
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

  /** How many counters are held, roughly while others decide. */
  long size() {
    long size = 0;
    for (Shard shard : shards) {
      size += shard.size();
    }
    return size;
  }
}
