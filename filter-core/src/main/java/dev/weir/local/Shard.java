package dev.weir.local;

import dev.weir.internal.store.CounterKeys.CounterKey;
import java.time.Duration;
import java.util.Comparator;
import java.util.HashMap;
import java.util.Iterator;
import java.util.Map;
import java.util.NavigableSet;
import java.util.TreeSet;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.StampedLock;
import java.util.function.IntSupplier;
import java.util.function.IntUnaryOperator;
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
 *
 * <p>The capacity is divided among the limits, so that a flood on one limit takes no capacity from
 * the others.
 *
 * <p><b>Model.</b> A counter stays until it is full again, even if that is at midnight, and is
 * never evicted. Capacity that was given cannot be reclaimed, so each limit is given only its part.
 * Of the capacity for C counters, n limits may hold C/n each, and at least one. Here n is the
 * larger of two numbers. One is the number of announced limits. The other is the number of limits
 * that now hold a counter, including the requesting one.
 *
 * <p><b>Invariant.</b> A limit that holds fewer than C/n counters gets capacity, whatever the
 * others hold. All limits together hold at most C, apart from rounding up to one, as long as every
 * limit was announced before any was given capacity. A limit that is announced later, or never,
 * reduces every part, but the other limits keep what they hold. Even so, k limits hold at most C·(1
 * + 1/2 + … + 1/k), which is less than C·(1 + ln k). This is for a constant C: what was given is
 * kept when C decreases. Proof: order the limits by when each was last given capacity. What the
 * first j - 1 limits hold now, they already held when the j-th was last given capacity. The j-th
 * was then one of at least j limits, so it was given no more than C/j.
 *
 * <p><b>Example.</b> There is capacity for 6,250 counters, and four limits are announced: flood,
 * login, api and daily, a window. Each has 1,562. A client sends a hundred thousand made-up API
 * keys. The keys of api are removed at once, and those of daily fill its part until midnight. From
 * then on new keys share the overflow of daily, while flood and login still count 1,562 addresses
 * each.
 */
final class Shard {

  private static final int CHECKS = 2;
  private static final long STAY_NANOS = Duration.ofSeconds(1).toNanos();

  /** It has no owner, which a decision would set and clear. So it is not reentrant. */
  private final Lock lock = new StampedLock().asWriteLock();

  private final Map<CounterKey, Entry> entries = new HashMap<>();

  /** Keys distinguish entries that are due at the same time. */
  private final NavigableSet<Entry> byDue =
      new TreeSet<>(Comparator.comparingLong(Entry::dueTickNanos).thenComparing(Entry::key));

  /** The first of the queue, since each decision reads it and a tree takes steps to find it. */
  private @Nullable Entry first;

  /** How many entries each limit has. */
  private final Map<String, Integer> held = new HashMap<>();

  private final IntSupplier capacity;
  private final IntSupplier announced;
  private final IntUnaryOperator debtorsKept;
  private volatile int size;
  private long gapNanos;

  /**
   * @param capacity the maximum number of counters; existing counters stay when it decreases
   * @param announced the least number of limits, as far as known
   * @param debtorsKept of so many counters that a limit may hold, those that may still owe when
   *     their outage is over
   */
  Shard(IntSupplier capacity, IntSupplier announced, IntUnaryOperator debtorsKept) {
    this.capacity = capacity;
    this.announced = announced;
    this.debtorsKept = debtorsKept;
  }

  void lock() {
    lock.lock();
  }

  void unlock() {
    lock.unlock();
  }

  @Nullable Entry find(CounterKey key, long nanos, long tickNanos) {
    forget(nanos, tickNanos);
    return entries.get(key);
  }

  Entry add(CounterKey key, String limit, CounterState state) {
    Entry entry = new Entry(key, limit, state);
    entries.put(key, entry);
    give(limit);
    byDue.add(entry);
    findFirst();
    size = entries.size();
    return entry;
  }

  boolean hasRoom(String limit, int newcomers) {
    return held.getOrDefault(limit, 0) + newcomers <= partOf(limit);
  }

  private int partOf(String limit) {
    int holders = held.containsKey(limit) ? held.size() : held.size() + 1;
    return Math.max(1, capacity.getAsInt() / Math.max(holders, announced.getAsInt()));
  }

  void give(String limit) {
    held.merge(limit, 1, Integer::sum);
  }

  void takeBack(String limit) {
    held.computeIfPresent(limit, (name, counters) -> counters == 1 ? null : counters - 1);
  }

  /** Returns the number of entries. Without the lock, it may be slightly out of date. */
  int size() {
    return size;
  }

  /** Removes some entries that are full and have been here for long enough. */
  void sweep(long nanos, long tickNanos) {
    forget(nanos, tickNanos);
    for (int i = 0; i < CHECKS && first != null && first.isDue(STAY_NANOS, tickNanos); i++) {
      checkFirst(nanos, tickNanos);
    }
  }

  /** Removes as many full entries as a limit's new counters need. */
  void makeRoom(String limit, int newcomers, long nanos, long tickNanos) {
    while (first != null && first.isDue(0, tickNanos) && !hasRoom(limit, newcomers)) {
      checkFirst(nanos, tickNanos);
    }
  }

  private void findFirst() {
    first = byDue.isEmpty() ? null : byDue.first();
  }

  /** Removes the first entry if it is full. Otherwise queues it again. */
  private void checkFirst(long nanos, long tickNanos) {
    Entry next = byDue.first();
    if (next.isFull(nanos, tickNanos)) {
      byDue.remove(next);
      findFirst();
      remove(next);
    } else {
      queueAgain(next);
    }
  }

  /** Queues an entry again if an adjustment has made it full before its due time. */
  void queueEarlier(Entry entry) {
    if (entry.isFullBeforeDue()) {
      queueAgain(entry);
    }
  }

  private void queueAgain(Entry entry) {
    byDue.remove(entry);
    entry.guessDue();
    byDue.add(entry);
    findFirst();
  }

  /** Records how long another store has decided. It is applied before an entry is next used. */
  void addGap(long nanos) {
    gapNanos = Math.max(gapNanos, nanos);
  }

  /**
   * Forgets an outage that is over. Counters that owe stay, but take no more than a part of the
   * room of the next outage. Those that owe longest come first, and their number is bounded.
   */
  private void forget(long nanos, long tickNanos) {
    if (gapNanos == 0) {
      return;
    }
    long gap = gapNanos;
    gapNanos = 0;
    Map<String, Integer> debtors = new HashMap<>();
    Iterator<Entry> longestFirst = byDue.descendingIterator();
    while (longestFirst.hasNext()) {
      Entry entry = longestFirst.next();
      CounterState state = entry.state();
      if (state.forgottenAfterNanos() > gap) {
        continue; // the outage may go on
      }
      state.age(nanos, tickNanos);
      String limit = entry.limit();
      boolean staysInDebt =
          state.nanosUntilPaid() > 0
              && debtors.merge(limit, 1, Integer::sum) <= debtorsKept.applyAsInt(partOf(limit));
      if (!staysInDebt && entry.forget()) {
        longestFirst.remove();
        remove(entry);
      }
    }
    findFirst();
  }

  private void remove(Entry entry) {
    entries.remove(entry.key());
    takeBack(entry.limit());
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
