package dev.weir.local;

import dev.weir.internal.CounterKeys.CounterKey;
import dev.weir.local.OutageClock.Now;
import java.time.Duration;
import java.util.Comparator;
import java.util.HashMap;
import java.util.Map;
import java.util.NavigableSet;
import java.util.TreeSet;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * A part of the map. An entry is removed when it is full again, because a full counter equals no
 * counter. It is also removed when it belongs to an outage that is over. No thread sweeps: each
 * decision checks some entries that are due.
 *
 * <p>The queue holds each entry once, at the time it was estimated to be full when it was queued.
 * An acquisition makes that estimate too early. A due entry that is not full is queued again. A
 * refund or another adjustment makes the estimate too late, so it moves the entry to its new time.
 * A tree finds an entry to move in logarithmic time, which a heap does not.
 *
 * <p>Most buckets are full again before their subject returns. Entries stay for a second, unless
 * their capacity is needed. This avoids creating and removing an entry at every decision. A due
 * entry is behind another in the queue for no longer than that.
 */
final class Shard {

  private static final int LOOKS = 2;
  private static final long STAY_NANOS = Duration.ofSeconds(1).toNanos();

  private final ReentrantLock lock = new ReentrantLock();
  private final Map<CounterKey, Entry> entries = new HashMap<>();

  /** Keys distinguish entries that are due at the same time. */
  private final NavigableSet<Entry> byDue =
      new TreeSet<>(Comparator.comparingLong(Entry::dueTickNanos).thenComparing(Entry::key));

  /** The first of the queue, since each decision looks at it and a tree takes steps to find it. */
  private @Nullable Entry first;

  private final LimitQuotas quotas;
  private volatile int size;
  private long gapNanos;

  Shard(LimitQuotas quotas) {
    this.quotas = quotas;
  }

  void lock() {
    lock.lock();
  }

  void unlock() {
    lock.unlock();
  }

  @Nullable Entry find(CounterKey key, Now now) {
    forget(now);
    return entries.get(key);
  }

  Entry add(CounterKey key, String limit, CounterState state, Now now) {
    Entry entry = new Entry(key, limit, state, now);
    entries.put(key, entry);
    quotas.give(limit);
    byDue.add(entry);
    findFirst();
    size = entries.size();
    return entry;
  }

  /** Returns whether this limit may hold one more entry. */
  boolean hasRoomFor(String limit) {
    return quotas.hasRoom(limit, 1);
  }

  /** Returns the number of entries. Without the lock, it may be slightly out of date. */
  int size() {
    return size;
  }

  /** Removes some entries that are full and have been here for long enough. */
  void sweep(Now now) {
    forget(now);
    for (int looks = 0; looks < LOOKS && firstIsDue(STAY_NANOS, now); looks++) {
      checkFirst(now);
    }
  }

  /** Removes as many full entries as a limit's new counters need. */
  void makeRoom(String limit, int newcomers, Now now) {
    while (firstIsDue(0, now) && !quotas.hasRoom(limit, newcomers)) {
      checkFirst(now);
    }
  }

  private boolean firstIsDue(long stayNanos, Now now) {
    Entry next = first;
    return next != null
        && next.dueTickNanos() <= now.tickNanos()
        && now.tickNanos() - next.queuedTickNanos() >= stayNanos;
  }

  private void findFirst() {
    first = byDue.isEmpty() ? null : byDue.first();
  }

  /** Removes the first entry if it is full. Otherwise queues it again. */
  private void checkFirst(Now now) {
    Entry next = byDue.first();
    if (next.isFull(now)) {
      byDue.remove(next);
      findFirst();
      remove(next);
    } else {
      queueAgain(next, now);
    }
  }

  /** Queues an entry again if an adjustment has made it full before its due time. */
  void queueEarlier(Entry entry, Now now) {
    if (entry.isFullBeforeDue(now)) {
      queueAgain(entry, now);
    }
  }

  private void queueAgain(Entry entry, Now now) {
    byDue.remove(entry);
    entry.guessDue(now);
    byDue.add(entry);
    findFirst();
  }

  /** Records how long another store has decided. It is applied before an entry is next used. */
  void addGap(long nanos) {
    gapNanos = Math.max(gapNanos, nanos);
  }

  /**
   * Forgets an outage that is over. It tests each entry once, because that may change the entry.
   */
  private void forget(Now now) {
    if (gapNanos > 0) {
      long nanos = gapNanos;
      gapNanos = 0;
      byDue.removeIf(
          entry -> {
            boolean isFull = entry.forgetAfter(nanos, now);
            if (isFull) {
              remove(entry);
            }
            return isFull;
          });
      findFirst();
    }
  }

  private void remove(Entry entry) {
    entries.remove(entry.key());
    quotas.takeBack(entry.limit());
    size = entries.size();
  }

  /** Removes all entries, for ever. */
  void clear() {
    entries.clear();
    byDue.clear();
    findFirst();
    size = 0;
  }
}
