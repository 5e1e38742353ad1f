package dev.weir.bench;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.ToDoubleFunction;

/**
 * The results of several contenders in all rounds.
 *
 * @param all by name, in the order of names
 */
public record Results<T>(Map<String, List<T>> all) {

  public Results {
    all = new LinkedHashMap<>(all);
  }

  /**
   * Returns the median of this contender over the rounds.
   *
   * @throws IllegalArgumentException when no contender of this name was measured
   */
  public double median(String name, ToDoubleFunction<T> value) {
    return Median.of(all.getOrDefault(name, List.of()), value);
  }

  /** Returns a row of two of them. */
  public Row row(String metric, String ours, String peer, ToDoubleFunction<T> value) {
    return new Row(metric, median(ours, value), median(peer, value), peer);
  }

  public List<String> names() {
    return List.copyOf(all.keySet());
  }
}
