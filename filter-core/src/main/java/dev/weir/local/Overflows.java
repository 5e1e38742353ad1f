package dev.weir.local;

import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.atomic.LongAdder;

/** Counts the uses of overflow counters, by limit. Thread-safe. */
final class Overflows {

  /** Far more than a configuration has. Code may create limits dynamically, without an end. */
  private static final int MOST_LIMITS = 1_000;

  private static final String OTHERS = "others";

  private final ConcurrentMap<String, LongAdder> counts = new ConcurrentHashMap<>();

  void count(String limit) {
    boolean isOwn = counts.containsKey(limit) || counts.size() < MOST_LIMITS;
    counts.computeIfAbsent(isOwn ? limit : OTHERS, counted -> new LongAdder()).increment();
  }

  Map<String, Long> counts() {
    Map<String, Long> sums = new TreeMap<>();
    counts.forEach((limit, count) -> sums.put(limit, count.sum()));
    return sums;
  }
}
