package dev.weir.local;

import dev.weir.Counter;
import dev.weir.internal.CounterKey;
import dev.weir.internal.CounterKeys;
import org.jspecify.annotations.Nullable;

/**
 * The entries of some counters, locked and found. Used by one thread, once.
 *
 * <p>A subject without an entry gets one if there is room, and otherwise shares the overflow
 * counter of its limit. While such a counter is not full, newcomers begin with a copy of it: a
 * subject that was held back there does not become free by getting an entry of its own.
 */
final class Entries {

  private final Counter[] counters;
  private final Shards shards;
  private final CounterKeys counterKeys;
  private final Shares nodeShares;
  private final int nodes;
  private final CounterKey[] keys;
  private int locked;

  /**
   * @param keys of these counters
   */
  Entries(
      Counter[] counters,
      CounterKey[] keys,
      Shards shards,
      CounterKeys counterKeys,
      Shares nodeShares,
      int nodes) {
    this.counters = counters;
    this.keys = keys;
    this.shards = shards;
    this.counterKeys = counterKeys;
    this.nodeShares = nodeShares;
    this.nodes = nodes;
  }

  void lock() {
    int mask = 0;
    for (CounterKey key : keys) {
      mask |= 1 << shards.indexOf(key);
    }
    shards.lock(mask);
    locked = mask;
  }

  void unlock() {
    shards.unlock(locked);
  }

  /** Under the locks: an entry for each counter, as of now and of the numbers that hold now. */
  Entry[] find(Moment now) {
    Entry[] entries = new Entry[keys.length];
    if (!areAllThere(entries, now)) {
      open(entries, now);
    }
    for (int i = 0; i < entries.length; i++) {
      entries[i].bringUpToDate(counters[i], nodeShares, nodes, now);
    }
    return entries;
  }

  /** Before any is found, others may go: one that is found must stay. */
  private boolean areAllThere(@Nullable Entry[] entries, Moment now) {
    for (CounterKey key : keys) {
      shardOf(key).sweep(now);
    }
    boolean areAllThere = true;
    for (int i = 0; i < entries.length; i++) {
      entries[i] = shardOf(keys[i]).find(keys[i], now);
      areAllThere &= entries[i] != null;
    }
    return areAllThere;
  }

  /** Finds them anew: to make room may let one go that was found. */
  private void open(Entry[] entries, Moment now) {
    for (int i = 0; i < keys.length; i++) {
      shardOf(keys[i]).makeRoom(limit(i), keys.length, now);
    }
    for (int i = 0; i < keys.length; i++) {
      entries[i] = find(i, now);
    }
  }

  /** Whether that entry is this counter's alone: the overflow's are not. */
  boolean isOwn(Entry entry, int i) {
    return entry.key().equals(keys[i]);
  }

  private String limit(int i) {
    return counters[i].name();
  }

  private Shard shardOf(CounterKey key) {
    return shards.at(shards.indexOf(key));
  }

  private Entry find(int i, Moment now) {
    Shard shard = shardOf(keys[i]);
    Entry entry = shard.find(keys[i], now);
    if (entry != null) {
      return entry;
    }
    return shard.hasRoomFor(limit(i)) ? newcomer(i, shard, now) : overflow(i, now);
  }

  private Share share(int i) {
    return nodeShares.of(counters[i], nodes);
  }

  private Entry newcomer(int i, Shard shard, Moment now) {
    Entry entry = new Entry(keys[i], limit(i), share(i), firstSlot(i, now), now);
    shard.add(entry);
    return entry;
  }

  private Slot firstSlot(int i, Moment now) {
    if (shards.overflow().size() > 0) {
      lockOverflow(now);
      Entry shared = shards.overflow().find(overflowKey(i), now);
      if (shared != null) {
        shared.bringUpToDate(counters[i], nodeShares, nodes, now);
        return shared.slot().copy();
      }
    }
    return share(i).open(now);
  }

  private Entry overflow(int i, Moment now) {
    lockOverflow(now);
    CounterKey key = overflowKey(i);
    Entry shared = shards.overflow().find(key, now);
    if (shared != null) {
      return shared;
    }
    Share share = share(i);
    Entry first = new Entry(key, limit(i), share, share.open(now), now);
    shards.overflow().add(first);
    return first;
  }

  private void lockOverflow(Moment now) {
    int mask = shards.overflowMask();
    if ((locked & mask) == 0) {
      shards.lock(mask);
      locked |= mask;
      shards.overflow().sweep(now);
    }
  }

  private CounterKey overflowKey(int i) {
    return counterKeys.ofOverflow(limit(i));
  }
}
