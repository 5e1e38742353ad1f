package dev.weir.local;

import dev.weir.internal.CounterKey;
import java.time.Duration;
import java.util.Comparator;
import java.util.HashMap;
import java.util.Map;
import java.util.PriorityQueue;
import java.util.Queue;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * A part of the map. An entry leaves when it is full again, for a full counter and none are the
 * same, or when it belongs to an outage that is over. Nobody sweeps: whoever decides looks at the
 * entries that are due.
 *
 * <p>The queue holds each entry once, at the time it was guessed to be full when it was queued. A
 * grant makes that guess too early, never too late: a due entry that is not full is queued again.
 *
 * <p>Most buckets are full again before their subject comes back. So that not every decision makes
 * an entry and lets one go, entries stay for a second unless their room is wanted. None that is due
 * is behind another in the queue for longer than that.
 */
final class Shard {

  private static final int LOOKS = 2;
  private static final long STAY_NANOS = Duration.ofSeconds(1).toNanos();

  private final ReentrantLock lock = new ReentrantLock();
  private final Map<CounterKey, Entry> entries = new HashMap<>();
  private final Queue<Entry> byDue = new PriorityQueue<>(Comparator.comparingLong(Entry::dueNanos));
  private final Allotment allotment;
  private volatile int size;
  private long gapNanos;

  Shard(Allotment allotment) {
    this.allotment = allotment;
  }

  void lock() {
    lock.lock();
  }

  void unlock() {
    lock.unlock();
  }

  @Nullable Entry find(CounterKey key, Moment now) {
    forget(now);
    return entries.get(key);
  }

  void add(Entry entry) {
    entries.put(entry.key(), entry);
    allotment.give(entry.limit());
    byDue.add(entry);
    size = entries.size();
  }

  /** Whether this limit may hold one more. */
  boolean hasRoomFor(String limit) {
    return allotment.hasRoom(limit, 1);
  }

  /** How many entries there are; without the lock, how many there were a moment ago. */
  int size() {
    return size;
  }

  /** Lets some entries go that are full, and have been here for long enough. */
  void sweep(Moment now) {
    forget(now);
    for (int looks = 0; looks < LOOKS && firstIsDue(STAY_NANOS, now); looks++) {
      lookAtFirst(now);
    }
  }

  /** Lets as many go that are full as a limit's newcomers want room. */
  void makeRoom(String limit, int newcomers, Moment now) {
    while (firstIsDue(0, now) && !allotment.hasRoom(limit, newcomers)) {
      lookAtFirst(now);
    }
  }

  private boolean firstIsDue(long stayNanos, Moment now) {
    Entry first = byDue.peek();
    return first != null
        && first.dueNanos() <= now.nanos()
        && now.nanos() - first.queuedNanos() >= stayNanos;
  }

  private void lookAtFirst(Moment now) {
    letGo(byDue.remove(), now);
    size = entries.size();
  }

  private void letGo(Entry entry, Moment now) {
    if (entry.isFull(now)) {
      remove(entry);
    } else {
      entry.guessDue(now);
      byDue.add(entry);
    }
  }

  /** Another store has decided for so long. The entries hear of it before one is next used. */
  void hearOfGap(long nanos) {
    gapNanos = Math.max(gapNanos, nanos);
  }

  private void forget(Moment now) {
    if (gapNanos > 0) {
      long nanos = gapNanos;
      gapNanos = 0;
      drop(entry -> entry.forgetAfter(nanos, now));
    }
  }

  void clear() {
    drop(entry -> true);
  }

  /** In one pass: to ask an entry may change it. */
  private void drop(Predicate<Entry> condition) {
    byDue.removeIf(entry -> condition.test(entry) && removed(entry));
    size = entries.size();
  }

  private boolean removed(Entry entry) {
    remove(entry);
    return true;
  }

  private void remove(Entry entry) {
    entries.remove(entry.key());
    allotment.takeBack(entry.limit());
  }
}
