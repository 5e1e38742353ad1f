package dev.weir;

import java.time.Duration;
import java.util.Objects;

/**
 * A concurrency limit: at most N permits held at once, over all nodes.
 *
 * <p>A permit is held from its grant until it is released. Its holder renews a lease meanwhile; the
 * permits of one that has crashed return when the lease ends, and not before. A limit whose numbers
 * change keeps its holders, each with the lease it was granted.
 *
 * @param permits N, from 1 to {@value #MOST_PERMITS}: each holder is kept by itself
 * @param lease from 1 second to 366 days, in whole microseconds
 */
public record Concurrency(long permits, Duration lease) implements Limit {

  /** The lease of a limit that does not say. */
  public static final Duration LEASE = Duration.ofSeconds(30);

  /** The most that can be held at once. */
  public static final long MOST_PERMITS = 1_000;

  /** It has to be renewed in time, whatever a decision and a pause of the process take. */
  private static final Duration SHORTEST_LEASE = Duration.ofSeconds(1);

  /**
   * @throws IllegalArgumentException when a number is out of its range
   */
  public Concurrency {
    Objects.requireNonNull(lease, "lease");
    if (permits < 1 || permits > MOST_PERMITS) {
      throw Expect.failure("concurrent", permits, "1 to " + MOST_PERMITS);
    }
    Spans.validate("lease", lease);
    if (lease.compareTo(SHORTEST_LEASE) < 0) {
      throw Expect.failure("lease", Spans.printCounted(lease), "at least 1 second");
    }
  }

  /** With a lease of 30 seconds. */
  public static Concurrency of(long permits) {
    return new Concurrency(permits, LEASE);
  }

  @Override
  public long capacity() {
    return permits;
  }

  /** The lease: by then nobody holds a permit who has not renewed it. */
  @Override
  public Duration timeToFull() {
    return lease;
  }

  @Override
  public String toString() {
    String text = permits + " concurrent";
    return lease.equals(LEASE) ? text : text + ", lease " + Spans.printCounted(lease);
  }
}
