package dev.weir.bench.peer;

import java.time.Duration;
import java.util.Locale;

/**
 * A token bucket's numbers, for all to be given the same.
 *
 * @param permits so many return in each period
 */
public record Numbers(long permits, Duration period, long burst) {

  /** Room for all that anybody can ask. */
  public static final Numbers ROOMY = new Numbers(1_000_000, Duration.ofSeconds(1), 1_000_000);

  /** One that is used up at once and stays so. */
  public static final Numbers SCARCE = new Numbers(1, Duration.ofHours(1), 1);

  /** As Weir reads it. */
  public String text() {
    return String.format(Locale.ROOT, "%d per %ds, burst %d", permits, period.toSeconds(), burst);
  }
}
