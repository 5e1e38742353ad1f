package dev.weir.bench.peer;

import java.time.Duration;
import java.util.Locale;

/**
 * A token bucket's numbers, the same for all contenders.
 *
 * @param permits so many return in each period
 */
public record Numbers(long permits, Duration period, long burst) {

  /** More than any load here can use. */
  public static final Numbers ROOMY = new Numbers(1_000_000, Duration.ofSeconds(1), 1_000_000);

  /** A bucket that is exhausted at once and stays so. */
  public static final Numbers SCARCE = new Numbers(1, Duration.ofHours(1), 1);

  /** Returns the limit in Weir's notation. */
  public String text() {
    return String.format(Locale.ROOT, "%d per %ds, burst %d", permits, period.toSeconds(), burst);
  }
}
