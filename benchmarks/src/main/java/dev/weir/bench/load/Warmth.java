package dev.weir.bench.load;

import dev.weir.bench.Row;
import java.time.Duration;
import java.util.List;

/**
 * The end of a warm-up.
 *
 * @param took how long it lasted
 * @param isDone whether the compiler was done in the end. If not, part of the figures is its work
 */
public record Warmth(Duration took, boolean isDone) {

  private static final String COLD = "not warm";

  /** Returns it for a remark. */
  @Override
  public String toString() {
    return isDone
        ? "the compiler was done after %d s".formatted(took.toSeconds())
        : "%s: the compiler was at work for %d s".formatted(COLD, took.toSeconds());
  }

  /** Returns these rows, which say so if they were measured cold. */
  public List<Row> noted(List<Row> rows) {
    return isDone ? rows : rows.stream().map(row -> row.noted(COLD)).toList();
  }
}
