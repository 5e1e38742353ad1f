package dev.weir.local;

import dev.weir.Ask;
import dev.weir.Charge;
import dev.weir.Counter;
import dev.weir.Decision;
import dev.weir.NodeShare;
import dev.weir.Receipt;
import dev.weir.Retry;
import dev.weir.Source;
import dev.weir.Verdict;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/**
 * One ask being decided: all its counters are locked, found, looked at, and then all charged or
 * none. Used by one thread, once.
 *
 * <p>A subject without an entry gets one if there is room, and otherwise shares the overflow
 * counter of its limit. While such a counter is not full, newcomers begin with a copy of it: a
 * subject that was held back there does not become free by getting an entry of its own.
 */
final class Hearing {

  /** When a probe is due at once, or is being made. */
  private static final Duration SHORTLY = Duration.ofMillis(1);

  private final List<Charge> charges;
  private final Shards shards;
  private final CounterKeys counterKeys;
  private final NodeShare nodeShare;
  private final Shares nodeShares;
  private final int nodes;
  private final CounterKey[] keys;
  private final Entry[] entries;
  private int locked;

  Hearing(Ask ask, Shards shards, CounterKeys counterKeys, NodeShare nodeShare, Shares nodeShares) {
    this.charges = ask.charges();
    this.shards = shards;
    this.counterKeys = counterKeys;
    this.nodeShare = nodeShare;
    this.nodeShares = nodeShares;
    this.nodes = Math.max(1, nodeShare.nodes());
    this.keys = new CounterKey[charges.size()];
    this.entries = new Entry[charges.size()];
    for (int i = 0; i < keys.length; i++) {
      Counter counter = charges.get(i).counter();
      keys[i] = counterKeys.of(counter.name(), counter.subject());
    }
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

  /** Decides under the locks. */
  Decision decide(Moment now) {
    // before any entry is found: one that is found must stay
    for (CounterKey key : keys) {
      shardOf(key).makeRoom(keys.length, now);
    }
    for (int i = 0; i < keys.length; i++) {
      entries[i] = find(i, now);
      bringUpToDate(entries[i], i, now);
    }
    Retry[] retries = new Retry[keys.length];
    boolean fits = true;
    for (int i = 0; i < keys.length; i++) {
      retries[i] = retry(i, now);
      fits &= retries[i] instanceof Retry.Now;
    }
    Receipt receipt = fits ? charge(now) : Receipt.nothing(Source.LOCAL);
    return Decision.counted(Source.LOCAL, verdicts(retries, now), receipt);
  }

  private Shard shardOf(CounterKey key) {
    return shards.at(shards.indexOf(key));
  }

  private Entry find(int i, Moment now) {
    Shard shard = shardOf(keys[i]);
    Entry entry = shard.find(keys[i]);
    if (entry != null) {
      return entry;
    }
    return shard.hasRoom() ? newcomer(i, shard, now) : overflow(i, now);
  }

  private void bringUpToDate(Entry entry, int i, Moment now) {
    entry.age(now);
    if (!nodeShares.holds(entry.share(), charges.get(i).counter(), nodes)) {
      entry.follow(share(i), now);
    }
  }

  private Share share(int i) {
    return nodeShares.of(charges.get(i).counter(), nodes);
  }

  private Entry newcomer(int i, Shard shard, Moment now) {
    Entry entry = new Entry(keys[i], share(i), firstSlot(i, now), now);
    shard.add(entry);
    return entry;
  }

  private Slot firstSlot(int i, Moment now) {
    if (shards.overflow().size() > 0) {
      lockOverflow(now);
      Entry shared = shards.overflow().find(overflowKey(i));
      if (shared != null) {
        bringUpToDate(shared, i, now);
        return shared.slot().copy();
      }
    }
    return share(i).open(now);
  }

  private Entry overflow(int i, Moment now) {
    lockOverflow(now);
    CounterKey key = overflowKey(i);
    Entry shared = shards.overflow().find(key);
    if (shared != null) {
      return shared;
    }
    Share share = share(i);
    Entry first = new Entry(key, share, share.open(now), now);
    shards.overflow().add(first);
    return first;
  }

  private void lockOverflow(Moment now) {
    int mask = shards.overflowMask();
    if ((locked & mask) == 0) {
      shards.lock(mask);
      locked |= mask;
      shards.overflow().makeRoom(0, now);
    }
  }

  private CounterKey overflowKey(int i) {
    return counterKeys.ofOverflow(charges.get(i).counter().name());
  }

  private Retry retry(int i, Moment now) {
    Charge charge = charges.get(i);
    Entry entry = entries[i];
    if (charge.isNeverSatisfiable()) {
      return Retry.NEVER;
    }
    if (charge.permits() > entry.share().capacity()) {
      return nodeShare.nextProbe().map(Hearing::afterProbe).orElse(Retry.NEVER);
    }
    long permits = permitsOf(entry);
    if (permits <= entry.slot().available()) {
      return Retry.NOW;
    }
    long waitNanos = entry.slot().nanosUntil(Math.min(permits, entry.share().capacity()), now);
    return new Retry.After(Duration.ofNanos(Math.max(1, waitNanos)));
  }

  private static Retry afterProbe(Duration probe) {
    return new Retry.After(probe.compareTo(SHORTLY) < 0 ? SHORTLY : probe);
  }

  /** All that this ask wants of an entry: in the overflow, several subjects share one. */
  private long permitsOf(Entry entry) {
    long sum = 0;
    for (int i = 0; i < entries.length; i++) {
      if (entries[i] == entry) {
        sum += charges.get(i).permits();
      }
    }
    return sum;
  }

  private Receipt charge(Moment now) {
    List<Receipt.Grant> grants = new ArrayList<>(entries.length);
    for (int i = 0; i < entries.length; i++) {
      Slot slot = entries[i].slot();
      slot.take(charges.get(i).permits(), now);
      grants.add(new Receipt.Grant(charges.get(i), slot.stamp()));
    }
    return new Receipt(Source.LOCAL, grants);
  }

  private List<Verdict> verdicts(Retry[] retries, Moment now) {
    List<Verdict> verdicts = new ArrayList<>(entries.length);
    for (int i = 0; i < entries.length; i++) {
      Slot slot = entries[i].slot();
      verdicts.add(
          new Verdict(
              charges.get(i).counter(),
              Math.max(0, slot.available()),
              retries[i],
              Duration.ofNanos(slot.nanosUntilFull(now))));
    }
    return verdicts;
  }
}
