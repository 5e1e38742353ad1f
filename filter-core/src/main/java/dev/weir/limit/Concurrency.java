package dev.weir.limit;

import dev.weir.internal.Expect;
import dev.weir.internal.Spans;
import java.time.Duration;
import java.util.Objects;

/**
 * A concurrency limit: at most N permits held at once, over all nodes.
 *
 * <p>A permit is held from its grant until it is released. Meanwhile its holder renews its time to
 * live. When a holder crashes, its permits return when that time is over, and not before. When the
 * numbers of a limit change, its holders keep their permits, each with its original time to live.
 *
 * @param permits N, from 1 to {@value #MOST_PERMITS}: each holder is stored separately
 * @param ttl how long a permit is held without a renewal: from 1 second to 366 days, in whole
 *     microseconds
 */
public record Concurrency(long permits, Duration ttl) implements Limit {

  /** The default time to live. */
  public static final Duration TTL = Duration.ofSeconds(30);

  /** The largest number of permits that can be held at once. */
  public static final long MOST_PERMITS = 1_000;

  /** Leaves time for a renewal, even after a slow decision or a pause of the process. */
  private static final Duration SHORTEST_TTL = Duration.ofSeconds(1);

  /**
   * @throws IllegalArgumentException when a number is out of its range
   */
  public Concurrency {
    Objects.requireNonNull(ttl, "ttl");
    if (permits < 1 || permits > MOST_PERMITS) {
      throw Expect.failure("concurrent", permits, "1 to " + MOST_PERMITS);
    }
    Spans.validate("ttl", ttl);
    if (ttl.compareTo(SHORTEST_TTL) < 0) {
      throw Expect.failure("ttl", Spans.printCounted(ttl), "at least 1 second");
    }
  }

  /** Returns a limit with a time to live of 30 seconds. */
  public static Concurrency of(long permits) {
    return new Concurrency(permits, TTL);
  }

  /** Returns a limit whose permits are held for this long without a renewal. */
  public static Concurrency of(long permits, Duration ttl) {
    return new Concurrency(permits, ttl);
  }

  @Override
  public Algorithm algorithm() {
    return Algorithm.CONCURRENCY;
  }

  @Override
  public long capacity() {
    return permits;
  }

  /** Returns the time to live: by then every permit that was not renewed has returned. */
  @Override
  public Duration timeToFull() {
    return ttl;
  }

  /** Returns what {@link Limit#parse} reads, such as {@code 4 concurrent}. */
  @Override
  public String toString() {
    String text = permits + " concurrent";
    return ttl.equals(TTL) ? text : text + ", ttl " + Spans.printCounted(ttl);
  }
}
