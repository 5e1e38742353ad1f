package dev.weir.bench;

import java.util.List;
import java.util.function.ToDoubleFunction;

/** The middle of several measurements, which a disturbed one does not move. */
public final class Median {

  private Median() {}

  /**
   * Returns the median of these values; for an even number, the mean of the two in the middle.
   *
   * @throws IllegalArgumentException when there is none
   */
  public static <T> double of(List<T> measurements, ToDoubleFunction<T> value) {
    double[] sorted = measurements.stream().mapToDouble(value).sorted().toArray();
    if (sorted.length == 0) {
      throw new IllegalArgumentException("measurements: [] (expected: at least one)");
    }
    int middle = sorted.length / 2;
    return sorted.length % 2 == 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
  }
}
