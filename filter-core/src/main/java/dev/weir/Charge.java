package dev.weir;

import java.util.Objects;

/**
 * So many permits of one counter.
 *
 * @param permits at least 1; more than the limit's capacity is accepted here and answered as never
 *     satisfiable
 */
public record Charge(Counter counter, long permits) {

  /**
   * @throws IllegalArgumentException when permits is not positive
   */
  public Charge {
    Objects.requireNonNull(counter, "counter");
    Expect.positive("permits", permits);
  }

  /** Whether no waiting ever makes this fit. */
  public boolean isNeverSatisfiable() {
    return permits > counter.limit().capacity();
  }
}
