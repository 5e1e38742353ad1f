package dev.weir.store;

import dev.weir.internal.Expect;
import java.util.Objects;

/**
 * A number of permits of one counter.
 *
 * @param permits at least 1; more than the limit's capacity is accepted here and reported as never
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

  /** Returns whether this never fits, however long the request waits. */
  public boolean isNeverSatisfiable() {
    return permits > counter.limit().capacity();
  }
}
