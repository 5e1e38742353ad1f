package dev.weir;

import java.time.Duration;

/**
 * An algorithm with its numbers: how much may pass, and over what time. Immutable and thread-safe;
 * {@link Object#toString} prints what {@link #parse} reads.
 */
public sealed interface Limit
    permits TokenBucket, LeakyBucket, FixedWindow, SlidingWindow, Concurrency {

  /**
   * Reads a limit written in one line. Words may be in any case, numbers may carry underscores.
   *
   * <pre>
   * limit  = permits ("per" | "/") span ["," "burst" permits]     a token bucket
   *        | permits ("per" | "/") span "window" [zone]           a fixed window
   *        | permits ("per" | "/") span "sliding" ["," "sub-windows" count]
   *        | permits ("per" | "/") span "leaky" ["," "capacity" permits]
   *        | permits "concurrent" ["," "lease" span]              a concurrency limit
   * permits = count [B | kB | MB | GB | TB | KiB | MiB | GiB | TiB]
   * span   = [count] unit
   * unit   = us | ms | s | m | h | d | w, or a word: second, minutes, day, month ...
   * zone   = a time zone such as UTC or Europe/Berlin: the window is aligned to its calendar
   * </pre>
   *
   * <p>{@code 100 per second}, {@code 100/s, burst 200}, {@code 10 per 10s}, {@code 1 per 30 days},
   * {@code 1000 per day window}, {@code 100_000 per day window Europe/Berlin}, {@code 30 per 10s
   * sliding}, {@code 2 per second leaky, capacity 20}, {@code 4 concurrent}, {@code 4 concurrent,
   * lease 10s}, {@code 100 MB per minute}, {@code 64 KiB/s, burst 1 MiB}. A size is so many permits
   * as it has bytes; a limit has units throughout or not at all. A bucket's burst is its permits
   * unless told otherwise, and so is what a leaky one holds; a lease is 30 seconds. A month is a
   * calendar's, so it wants a zone.
   *
   * @throws IllegalArgumentException when the text is not a limit; the message names the field,
   *     what stands there, what was expected and, where one is near, the right spelling
   */
  static Limit parse(String text) {
    return LimitParser.parse(text);
  }

  /**
   * The largest request that can ever be granted, in permits: the burst, the quota, the queue, or
   * N.
   */
  long capacity();

  /** How long, at most, until a limit that nobody uses is as good as new. */
  Duration timeToFull();
}
