package dev.weir.limit;

import dev.weir.internal.Expect;
import dev.weir.internal.Spans;
import java.time.Duration;
import java.util.Objects;

/**
 * An algorithm with its numbers: how many permits it grants, and over what time. Immutable and
 * thread-safe. {@link Object#toString} prints what {@link #parse} reads.
 */
public sealed interface Limit
    permits TokenBucket, LeakyBucket, FixedWindow, SlidingWindow, Concurrency {

  /**
   * The algorithms. Code that must know each of them has a {@code switch} expression over all, so
   * the compiler finds it when there is a new one. Code that treats one of them specially, such as
   * leases of a window, tests its type.
   */
  enum Algorithm {
    /** The algorithm of {@link TokenBucket}. */
    TOKEN_BUCKET,
    /** The algorithm of {@link LeakyBucket}. */
    LEAKY_BUCKET,
    /** The algorithm of {@link FixedWindow}. */
    FIXED_WINDOW,
    /** The algorithm of {@link SlidingWindow}. */
    SLIDING_WINDOW,
    /** The algorithm of {@link Concurrency}. */
    CONCURRENCY;

    /** Returns whether permits are held until they are released, and not consumed. */
    public boolean isHeld() {
      return switch (this) {
        case TOKEN_BUCKET, LEAKY_BUCKET, FIXED_WINDOW, SLIDING_WINDOW -> false;
        case CONCURRENCY -> true;
      };
    }

    /** Returns whether a request can take permits ahead of time, and wait until it may use them. */
    public boolean isReservable() {
      return switch (this) {
        case TOKEN_BUCKET, LEAKY_BUCKET -> true;
        case FIXED_WINDOW, SLIDING_WINDOW, CONCURRENCY -> false;
      };
    }

    /** Returns whether a node can lease permits, and grant them without a call to Redis. */
    public boolean isLeasable() {
      return switch (this) {
        case TOKEN_BUCKET, FIXED_WINDOW -> true;
        case LEAKY_BUCKET, SLIDING_WINDOW, CONCURRENCY -> false;
      };
    }
  }

  /** Returns the algorithm, which determines the type of the limit. */
  Algorithm algorithm();

  /**
   * Returns the limit that a line of text describes. Words may be in any case, and numbers may
   * contain underscores.
   *
   * <pre>
   * limit  = permits ("per" | "/") span ["," "burst" permits]     a token bucket
   *        | permits ("per" | "/") span "window" [zone]           a fixed window
   *        | permits ("per" | "/") span "sliding" ["," "sub-windows" count]
   *        | permits ("per" | "/") span "leaky" ["," "capacity" permits]
   *        | count "concurrent" ["," "ttl" span]                  a concurrency limit
   * permits = count [B | kB | MB | GB | TB | KiB | MiB | GiB | TiB]
   * span   = [count] unit
   * unit   = us | ms | s | m | h | d | w, or a word: second, minutes, day, month ...
   * zone   = a time zone such as UTC or Europe/Berlin: the window is aligned to its calendar;
   *          without one, each window begins with its first granted request
   * </pre>
   *
   * <p>Token buckets: {@code 100 per second}, {@code 100/s, burst 200}, {@code 10 per 10s}, {@code
   * 1 per 30 days}, {@code 100 MB per minute}, {@code 64 KiB/s, burst 1 MiB}. Windows: {@code 1000
   * per day window}, {@code 100_000 per day window Europe/Berlin}, {@code 30 per 10s sliding}.
   * Others: {@code 2 per second leaky, capacity 20}, {@code 4 concurrent}, {@code 4 concurrent, ttl
   * 10s}.
   *
   * <p><b>How much they grant.</b> A text without {@code window}, {@code sliding} or {@code leaky}
   * is a {@link TokenBucket}. The bucket is full at first, and refills while it is used. So {@code
   * 5 per second} grants 5 requests at once, and up to 10 in the first second. {@code 10_000 per
   * hour} grants up to 20,000 in the first hour. For at most 10,000 in any hour, write {@code
   * 10_000 per hour sliding}. {@code 10_000 per hour window UTC} grants at most 10,000 in each hour
   * of the clock, and up to twice as many in an hour that spans two of them.
   *
   * <p>A size counts one permit for each byte. A limit has units throughout or not at all. By
   * default, a token bucket's burst and a leaky bucket's capacity are the permits of the rate. The
   * default ttl is 30 seconds. A month is that of a calendar, so it requires a zone.
   *
   * @throws IllegalArgumentException when the text is not a limit; the message names the field, the
   *     text found, what was expected and, if one is near, the right spelling
   */
  static Limit parse(String text) {
    return LimitParser.parse(text);
  }

  /**
   * Returns the largest request that can ever be granted, in permits: the burst, the quota, the
   * capacity, or N.
   */
  long capacity();

  /** Returns how long it takes at most until a limit that nobody uses any more is full. */
  Duration timeToFull();

  /**
   * A number of permits in a time, such as 100 per second or 1 per 30 days.
   *
   * @param permits at least 1
   * @param period whole microseconds, from 1 µs to 366 days
   */
  record Rate(long permits, Duration period) {

    /** The fastest accepted rate: 10 million permits per second, 10 per microsecond. */
    static final long MOST_PERMITS_PER_MICRO = 10;

    /**
     * @throws IllegalArgumentException when a number is out of its range, or the rate exceeds 10
     *     million per second
     */
    public Rate {
      Objects.requireNonNull(period, "period");
      Expect.positive("permits", permits);
      Spans.validate("period", period);
      if (permits > Spans.micros(period) * MOST_PERMITS_PER_MICRO) {
        throw Expect.failure(
            "rate",
            permits + " per " + Spans.print(period),
            "at most 10 million permits per second");
      }
    }

    /** Returns how long a whole period lasts, in microseconds. */
    public long periodMicros() {
      return Spans.micros(period);
    }

    /**
     * Returns the rate as a limit is written: {@code 100 per second}, {@code 10 per 10 seconds}.
     */
    @Override
    public String toString() {
      return permits + " per " + Spans.print(period);
    }
  }
}
