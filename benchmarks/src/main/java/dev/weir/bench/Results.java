package dev.weir.bench;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.ToDoubleFunction;

/**
 * What several came to in all rounds.
 *
 * @param all by name, in the order of names
 */
public record Results<T>(Map<String, List<T>> all) {

  public Results {
    all = new LinkedHashMap<>(all);
  }

  /**
   * The median of this one over the rounds.
   *
   * @throws IllegalArgumentException when nobody of this name was measured
   */
  public double median(String name, ToDoubleFunction<T> value) {
    return Median.of(all.getOrDefault(name, List.of()), value);
  }

  /** A row of two of them. */
  public Row row(String metric, String ours, String peer, ToDoubleFunction<T> value) {
    return new Row(metric, median(ours, value), median(peer, value), peer);
  }

  public List<String> names() {
    return List.copyOf(all.keySet());
  }
}
