package dev.weir.local;

import dev.weir.internal.store.CounterKeys;
import dev.weir.internal.store.CounterKeys.CounterKey;
import dev.weir.store.AcquireRequest.Charge;
import dev.weir.store.Counter;
import dev.weir.store.LimitStore.Ticker;
import dev.weir.store.StoreUnavailableException;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.IntSupplier;

/**
 * The map in parts, so that decisions about different counters do not wait for each other. One more
 * part holds the overflow counters. Locks are always taken in the order of the parts, the
 * overflow's last, so no deadlock is possible. A set of parts is a bit mask.
 *
 * <p>Its two clocks run from zero at the start. One pauses while another store decides. Fields that
 * are not final are written under all locks, and read under any.
 */
final class Shards {

  private static final Logger LOG = System.getLogger(LocalLimitStore.class.getName());
  private static final int PARTS = 16;

  /** A smaller part would be too small to fill evenly. */
  private static final int LEAST_PER_PART = 256;

  /**
   * Makes the upper bits of a hash independent of the lower bits, which each part's own map uses.
   */
  private static final int SPREAD = 0x9E3779B1;

  private static final int UNUSED_BITS = 28;
  private static final Duration RETRY_AFTER_CLOSE = Duration.ofSeconds(1);

  /** The least time between two warnings about one limit. */
  private static final long QUIET_NANOS = Duration.ofMinutes(1).toNanos();

  private final CounterKeys counterKeys = new CounterKeys();
  private final Shard[] shards;
  private final int parts;
  private final IntSupplier maxCounters;
  private final Ticker ticker;
  private final long originNanos;

  /** The uses of overflow counters, by limit. */
  final Overflows overflowed = new Overflows();

  /** When the limits were last reported to be out of room. The overflow's lock guards it. */
  private final Map<String, Long> reportedAtNanos = new HashMap<>();

  private boolean closed;
  private boolean running = true;
  private long pausedNanos;
  private long stoppedAtNanos;

  Shards(LocalOptions options) {
    maxCounters = options.maxCounters();
    ticker = options.ticker();
    originNanos = ticker.nanoTime();
    parts = maxCounters.getAsInt() < PARTS * LEAST_PER_PART ? 1 : PARTS;
    shards = new Shard[parts + 1];
    Arrays.setAll(
        shards,
        i ->
            new Shard(
                () -> maxCounters.getAsInt() / parts, options.limits(), part -> (part + 1) / 2));
    shards[parts] = new Shard(() -> Integer.MAX_VALUE, () -> 0, part -> 0);
  }

  CounterKey keyOf(Counter counter) {
    return CounterKey.of(counter.name(), counter.subject(), counterKeys);
  }

  CounterKey[] keysOf(List<Charge> charges) {
    return counterKeys.of(charges);
  }

  /** Returns the key of the counter that subjects of this limit without their own one share. */
  CounterKey overflowKey(String limit) {
    return counterKeys.ofOverflow(limit);
  }

  /**
   * Returns whether this limit, which is out of room, was not reported within a minute. If so, call
   * {@link #reportFull}. Called under the overflow's lock.
   */
  boolean isReportDue(String limit, long tickNanos) {
    reportedAtNanos.values().removeIf(at -> tickNanos - at >= QUIET_NANOS);
    return reportedAtNanos.putIfAbsent(limit, tickNanos) == null;
  }

  /** Reports a limit that is out of room. Called under no lock. */
  void reportFull(String limit) {
    String text =
        "Limit %s has used its part of the %d counters in process (max-counters). Its new subjects"
            + " share one counter, so one may be denied because of others. A larger max-counters"
            + " makes room";
    LOG.log(Level.WARNING, () -> text.formatted(limit, maxCounters.getAsInt()));
  }

  Shard of(CounterKey key) {
    return shards[indexOf(key)];
  }

  Shard overflow() {
    return shards[parts];
  }

  int overflowMask() {
    return 1 << parts;
  }

  private int indexOf(CounterKey key) {
    return ((key.hashCode() * SPREAD) >>> UNUSED_BITS) & (parts - 1);
  }

  /** Locks the parts of these keys, and returns their mask. */
  int lock(CounterKey[] keys) {
    int mask = 0;
    for (CounterKey key : keys) {
      mask |= 1 << indexOf(key);
    }
    lock(mask);
    return mask;
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
   * Returns the one time at which a decision or change is made, by the clock that never pauses.
   * Called under any of the locks.
   *
   * @throws StoreUnavailableException when the store is closed
   */
  long now() throws StoreUnavailableException {
    if (closed) {
      throw new StoreUnavailableException("the local store is closed", RETRY_AFTER_CLOSE, null);
    }
    return tickNanos();
  }

  /** Returns the same time, by the clock that pauses while another store decides. */
  long nanos(long tickNanos) {
    return (running ? tickNanos : stoppedAtNanos) - pausedNanos;
  }

  private long tickNanos() {
    return ticker.nanoTime() - originNanos;
  }

  /** Lets the clock run, unless it runs already. */
  void resume() {
    underAllLocks(
        () -> {
          if (!running) {
            long gapNanos = Math.max(0, tickNanos() - stoppedAtNanos);
            pausedNanos += gapNanos;
            running = true;
            for (Shard shard : shards) {
              shard.addGap(gapNanos);
            }
          }
        });
  }

  /** Pauses the clock, unless it is paused already. */
  void suspend() {
    underAllLocks(
        () -> {
          if (running) {
            stoppedAtNanos = tickNanos();
            running = false;
          }
        });
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
    return Arrays.stream(shards).mapToLong(Shard::size).sum();
  }
}
