package dev.weir.http.internal.report;

import dev.weir.http.RequestCounts.TopDenied;
import dev.weir.store.LimitStore.Ticker;
import java.time.Duration;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

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
  private final Map<String, Entry> entries = new HashMap<>(2 * MOST);
  private long halvedNanos;

  private static final class Entry {

    private final String tag;
    private long count;
    private long error;

    private Entry(String tag, long count, long error) {
      this.tag = tag;
      this.count = count;
      this.error = error;
    }
  }

  TopSubjects(Ticker ticker) {
    this.ticker = ticker;
    this.halvedNanos = ticker.nanoTime();
  }

  /** Counts a denial of the subject with this tag. */
  synchronized void add(String tag) {
    halve();
    Entry known = entries.get(tag);
    if (known != null) {
      known.count++;
      return;
    }
    long least = 0;
    if (entries.size() == MOST) {
      Entry smallest = smallest();
      entries.remove(smallest.tag);
      least = smallest.count;
    }
    entries.put(tag, new Entry(tag, least + 1, least));
  }

  /** Returns the entries, the largest count first. */
  synchronized List<TopDenied> entries() {
    halve();
    return entries.values().stream()
        .map(entry -> new TopDenied(entry.tag, entry.count, entry.error))
        .sorted(Comparator.comparing(TopDenied::count).reversed().thenComparing(TopDenied::tag))
        .toList();
  }

  private Entry smallest() {
    Entry smallest = null;
    for (Entry entry : entries.values()) {
      smallest = smallest == null || entry.count < smallest.count ? entry : smallest;
    }
    return Objects.requireNonNull(smallest, "there are entries");
  }

  private void halve() {
    long minutes = (ticker.nanoTime() - halvedNanos) / HALVING_NANOS;
    if (minutes < 1) {
      return;
    }
    halvedNanos += minutes * HALVING_NANOS;
    int shift = (int) Math.min(minutes, Long.SIZE - 1);
    for (Entry entry : entries.values()) {
      entry.count >>= shift;
      entry.error >>= shift;
    }
    entries.values().removeIf(entry -> entry.count == 0);
  }
}
