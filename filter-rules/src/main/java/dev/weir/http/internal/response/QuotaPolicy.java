package dev.weir.http.internal.response;

import dev.weir.limit.FixedWindow;
import dev.weir.limit.Limit;
import dev.weir.limit.SlidingWindow;
import java.time.Duration;

/**
 * A limit in the terms of the drafts: a quota in a window.
 *
 * <p>The window of a bucket is the time that it takes to refill. The window of a fixed or sliding
 * window is its length. The window of a calendar window is the usual length of its unit. A month
 * has 31 days.
 */
final class QuotaPolicy {

  private static final long NANOS = 1_000_000_000;

  /** The largest integer of a Structured Field: fifteen digits. */
  private static final long LARGEST = 999_999_999_999_999L;

  private QuotaPolicy() {}

  static long quota(Limit limit) {
    return integer(limit.capacity());
  }

  static long windowSeconds(Limit limit) {
    Duration window =
        switch (limit.algorithm()) {
          case TOKEN_BUCKET, LEAKY_BUCKET, CONCURRENCY -> limit.timeToFull();
          case FIXED_WINDOW -> window((FixedWindow) limit);
          case SLIDING_WINDOW -> ((SlidingWindow) limit).length();
        };
    return integer(roundedUp(window));
  }

  /**
   * Returns the number clamped to the range from 0 to the largest integer of a Structured Field.
   */
  static long integer(long number) {
    return Math.max(0, Math.min(number, LARGEST));
  }

  /** Returns the seconds rounded up. A client that waits that long has waited long enough. */
  static long roundedUp(Duration time) {
    return time.getNano() == 0 ? time.getSeconds() : time.getSeconds() + 1;
  }

  /** Returns the seconds of these nanoseconds, rounded up. */
  static long roundedUp(long nanos) {
    return -Math.floorDiv(-nanos, NANOS);
  }

  static Duration window(FixedWindow fixed) {
    if (fixed.window() instanceof FixedWindow.FirstRequestWindow first) {
      return first.length();
    }
    return switch (((FixedWindow.CalendarWindow) fixed.window()).unit()) {
      case SECOND -> Duration.ofSeconds(1);
      case MINUTE -> Duration.ofMinutes(1);
      case HOUR -> Duration.ofHours(1);
      case DAY -> Duration.ofDays(1);
      case WEEK -> Duration.ofDays(7);
      case MONTH -> Duration.ofDays(31);
    };
  }
}
