package dev.weir.local;

import dev.weir.Counter;
import dev.weir.internal.CounterKeys;
import dev.weir.internal.CounterKeys.CounterKey;
import org.jspecify.annotations.Nullable;

/**
 * The entries of some counters, locked and found. Used by one thread, once.
 *
 * <p>A subject without an entry gets one if there is capacity, and otherwise shares the overflow
 * counter of its limit. While such a counter is not full, new entries start as a copy of it. A
 * subject that was limited there is therefore not freed by getting its own entry.
 */
final class Entries {

  private final Counter[] counters;
  private final Shards shards;
  private final CounterKeys counterKeys;
  private final NodeLimits nodeLimits;
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
      NodeLimits nodeLimits,
      int nodes) {
    this.counters = counters;
    this.keys = keys;
    this.shards = shards;
    this.counterKeys = counterKeys;
    this.nodeLimits = nodeLimits;
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

  /**
   * Returns an entry for each counter, aged to now and with current numbers. Called under the
   * locks.
   */
  Entry[] find(Now now) {
    Entry[] entries = new Entry[keys.length];
    if (!areAllThere(entries, now)) {
      open(entries, now);
    }
    for (int i = 0; i < entries.length; i++) {
      entries[i].bringUpToDate(counters[i], nodeLimits, nodes, now);
    }
    return entries;
  }

  /** Removes other entries before it finds these, because a found entry must stay. */
  private boolean areAllThere(@Nullable Entry[] entries, Now now) {
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

  /** Finds all entries again, because making room may remove an entry that was found. */
  private void open(Entry[] entries, Now now) {
    for (int i = 0; i < keys.length; i++) {
      shardOf(keys[i]).makeRoom(limit(i), keys.length, now);
    }
    for (int i = 0; i < keys.length; i++) {
      entries[i] = find(i, now);
    }
  }

  /** Returns whether that entry belongs to this counter alone. Entries of the overflow do not. */
  boolean isOwn(Entry entry, int i) {
    return entry.key().equals(keys[i]);
  }

  private String limit(int i) {
    return counters[i].name();
  }

  private Shard shardOf(CounterKey key) {
    return shards.at(shards.indexOf(key));
  }

  private Entry find(int i, Now now) {
    Shard shard = shardOf(keys[i]);
    Entry entry = shard.find(keys[i], now);
    if (entry != null) {
      return entry;
    }
    return shard.hasRoomFor(limit(i)) ? newcomer(i, shard, now) : overflow(i, now);
  }

  private NodeLimit nodeLimit(int i) {
    return nodeLimits.of(counters[i], nodes);
  }

  private Entry newcomer(int i, Shard shard, Now now) {
    Entry entry = new Entry(keys[i], limit(i), nodeLimit(i), firstState(i, now), now);
    shard.add(entry);
    return entry;
  }

  private CounterState firstState(int i, Now now) {
    if (shards.overflow().size() > 0) {
      lockOverflow(now);
      Entry shared = shards.overflow().find(overflowKey(i), now);
      if (shared != null) {
        shared.bringUpToDate(counters[i], nodeLimits, nodes, now);
        return shared.state().copy();
      }
    }
    return nodeLimit(i).open(now);
  }

  private Entry overflow(int i, Now now) {
    lockOverflow(now);
    CounterKey key = overflowKey(i);
    Entry shared = shards.overflow().find(key, now);
    if (shared != null) {
      return shared;
    }
    NodeLimit nodeLimit = nodeLimit(i);
    Entry first = new Entry(key, limit(i), nodeLimit, nodeLimit.open(now), now);
    shards.overflow().add(first);
    return first;
  }

  private void lockOverflow(Now now) {
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
