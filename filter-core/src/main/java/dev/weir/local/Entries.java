package dev.weir.local;

import dev.weir.internal.store.CounterKeys.CounterKey;
import dev.weir.store.AcquireRequest.Charge;
import dev.weir.store.Counter;
import dev.weir.store.StoreUnavailableException;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The entries of the counters of some charges, locked and found. Used by one thread, once.
 *
 * <p>A subject without an entry gets one if there is capacity, and otherwise shares the overflow
 * counter of its limit. While such a counter is not full, new entries start as a copy of it. A
 * subject that was limited there is therefore not freed by getting its own entry. Of a debt, only
 * the subject's own is copied, and of concurrency permits only those that it holds.
 */
final class Entries {

  private final List<Charge> charges;
  private final CounterKey[] keys;
  private final Shards shards;
  private final NodeLimits nodeLimits;
  private final int nodes;
  private long nanos;
  private long tickNanos;
  private int locked;
  private List<String> full = List.of();

  Entries(
      List<Charge> charges, CounterKey[] keys, Shards shards, NodeLimits nodeLimits, int nodes) {
    this.charges = charges;
    this.keys = keys;
    this.shards = shards;
    this.nodeLimits = nodeLimits;
    this.nodes = nodes;
  }

  void lock() {
    locked = shards.lock(keys);
  }

  /** Unlocks, and only then reports limits that have no room. */
  void unlock() {
    shards.unlock(locked);
    full.forEach(shards::reportFull);
  }

  /**
   * Returns an entry for each counter, aged to now and with current numbers. Called once, under the
   * locks.
   */
  Entry[] find() throws StoreUnavailableException {
    tickNanos = shards.now();
    nanos = shards.nanos(tickNanos);
    Entry[] entries = new Entry[keys.length];
    if (!areAllThere(entries)) {
      open(entries);
    }
    for (int i = 0; i < entries.length; i++) {
      entries[i].bringUpToDate(counter(i), nodeLimits, nodes, nanos, tickNanos);
    }
    return entries;
  }

  /** Removes other entries before it finds these, because a found entry must stay. */
  private boolean areAllThere(@Nullable Entry[] entries) {
    for (CounterKey key : keys) {
      shards.of(key).sweep(nanos, tickNanos);
    }
    boolean areAllThere = true;
    for (int i = 0; i < entries.length; i++) {
      entries[i] = shards.of(keys[i]).find(keys[i], nanos, tickNanos);
      areAllThere &= entries[i] != null;
    }
    return areAllThere;
  }

  /** Finds all entries again, because making room may remove an entry that was found. */
  private void open(Entry[] entries) {
    for (int i = 0; i < keys.length; i++) {
      shards.of(keys[i]).makeRoom(counter(i).name(), keys.length, nanos, tickNanos);
    }
    for (int i = 0; i < keys.length; i++) {
      entries[i] = find(i);
    }
  }

  private Entry find(int i) {
    Shard shard = shards.of(keys[i]);
    Entry entry = shard.find(keys[i], nanos, tickNanos);
    if (entry != null) {
      return entry;
    }
    String limit = counter(i).name();
    return shard.hasRoom(limit, 1) ? shard.add(keys[i], limit, firstState(i)) : overflow(i);
  }

  private CounterState firstState(int i) {
    if (shards.overflow().size() > 0) {
      lockOverflow();
      Entry shared =
          shards.overflow().find(shards.overflowKey(counter(i).name()), nanos, tickNanos);
      if (shared != null) {
        shared.bringUpToDate(counter(i), nodeLimits, nodes, nanos, tickNanos);
        return shared.stateFor(keys[i]);
      }
    }
    return nodeLimits.open(counter(i), nodes, nanos, tickNanos);
  }

  private Entry overflow(int i) {
    lockOverflow();
    String limit = counter(i).name();
    shards.overflowed.count(limit);
    CounterKey key = shards.overflowKey(limit);
    Entry shared = shards.overflow().find(key, nanos, tickNanos);
    if (shared != null) {
      return shared;
    }
    if (shards.isReportDue(limit, tickNanos)) {
      full = new ArrayList<>(full);
      full.add(limit);
    }
    return shards.overflow().add(key, limit, nodeLimits.open(counter(i), nodes, nanos, tickNanos));
  }

  private void lockOverflow() {
    int mask = shards.overflowMask();
    if ((locked & mask) == 0) {
      shards.lock(mask);
      locked |= mask;
      shards.overflow().sweep(nanos, tickNanos);
    }
  }

  private Counter counter(int i) {
    return charges.get(i).counter();
  }
}
