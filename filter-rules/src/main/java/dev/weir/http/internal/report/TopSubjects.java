package dev.weir.http.internal.report;

import dev.weir.http.RequestCounts.TopDenied;
import dev.weir.store.LimitStore.Ticker;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * The subjects that one rule denies most of late, by their tags. Thread-safe.
 *
 * <p>Model. This is Space-Saving (Metwally, Agrawal and El Abbadi, "Efficient Computation of
 * Frequent and Top-k Elements in Data Streams", 2005). There are {@value #MOST} entries, each with
 * a tag, a count and an error. A denial of a tag with an entry adds one to its count. A denial of
 * another tag replaces the entry with the smallest count c: the new entry has the count c + 1 and
 * the error c, because the tag may have been denied c times before without an entry.
 *
 * <p>Invariants. The counts add up to the number of denials. So the smallest is at most that number
 * divided by {@value #MOST}, and each tag with more denials has an entry. Its true number is at
 * most its count, and at least its count less the error.
 *
 * <p>Of late. Each minute halves counts and errors, so an abuser of yesterday leaves the list. An
 * entry that becomes zero is removed.
 *
 * <p>Example. One subject makes 2 percent of a million denials within a minute, and 100,000 others
 * make the rest. No other count exceeds a 64th by much. So its 20,000 denials are counted exactly
 * once it has an entry that is not the smallest, and it is among the first.
 */
final class TopSubjects {

  private static final int MOST = 64;
  private static final long HALVING_NANOS = Duration.ofMinutes(1).toNanos();

  private final Ticker ticker;
  private final List<Entry> entries = new ArrayList<>(MOST);
  private final Map<String, Entry> byTag = new HashMap<>(2 * MOST);
  private long halvedNanos;

  private static final class Entry {

    private String tag;
    private long count;
    private long error;

    private Entry(String tag) {
      this.tag = tag;
    }
  }

  TopSubjects(Ticker ticker) {
    this.ticker = ticker;
    this.halvedNanos = ticker.nanoTime();
  }

  /** Counts a denial of the subject with this tag. */
  synchronized void add(String tag) {
    halve();
    Entry entry = byTag.get(tag);
    if (entry == null) {
      entry = entries.size() < MOST ? another(tag) : smallestNow(tag);
      byTag.put(tag, entry);
    }
    entry.count++;
  }

  /** Returns the entries, the largest count first. */
  synchronized List<TopDenied> entries() {
    halve();
    return entries.stream()
        .map(entry -> new TopDenied(entry.tag, entry.count, entry.error))
        .sorted(Comparator.comparing(TopDenied::count).reversed().thenComparing(TopDenied::tag))
        .toList();
  }

  private Entry another(String tag) {
    Entry entry = new Entry(tag);
    entries.add(entry);
    return entry;
  }

  /** Gives the entry with the smallest count to another tag. */
  private Entry smallestNow(String tag) {
    Entry smallest = entries.get(0);
    for (int i = 1; i < MOST; i++) {
      Entry entry = entries.get(i);
      if (entry.count < smallest.count) {
        smallest = entry;
      }
    }
    byTag.remove(smallest.tag);
    smallest.tag = tag;
    smallest.error = smallest.count;
    return smallest;
  }

  private void halve() {
    long minutes = (ticker.nanoTime() - halvedNanos) / HALVING_NANOS;
    if (minutes < 1) {
      return;
    }
    halvedNanos += minutes * HALVING_NANOS;
    int shift = (int) Math.min(minutes, Long.SIZE - 1);
    for (Entry entry : entries) {
      entry.count >>= shift;
      entry.error >>= shift;
    }
    entries.removeIf(entry -> entry.count == 0);
    byTag.values().removeIf(entry -> entry.count == 0);
  }
}
