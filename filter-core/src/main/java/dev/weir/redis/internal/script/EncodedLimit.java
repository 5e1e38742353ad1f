package dev.weir.redis.internal.script;

import dev.weir.internal.BucketUnits;
import dev.weir.internal.Spans;
import dev.weir.limit.Concurrency;
import dev.weir.limit.FixedWindow;
import dev.weir.limit.FixedWindow.CalendarWindow;
import dev.weir.limit.LeakyBucket;
import dev.weir.limit.Limit;
import dev.weir.limit.SlidingWindow;
import dev.weir.limit.TokenBucket;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;

/**
 * A limit as the scripts read it. This class has all that Java knows of an algorithm in Redis. The
 * arithmetic is in the resource of each algorithm; {@code limits.lua} lists them. Immutable.
 *
 * @param letter of its arithmetic
 * @param numbers that describe the limit there
 */
public record EncodedLimit(Limit.Algorithm algorithm, String letter, List<Long> numbers) {

  /** Far more than a configuration has. Code that creates limits dynamically starts over here. */
  private static final int MOST_BUCKETS = 1_024;

  /** Remembered, since each call needs them and their units take long to compute. */
  private static final Map<Limit, EncodedLimit> BUCKETS = new ConcurrentHashMap<>();

  /** The cost of a decision of most limits. */
  private static final int SIMPLE_LIMIT_MICROS = 7;

  /**
   * Encodes a limit.
   *
   * @param id by which the permits are held, if the limit has held permits
   * @param clock the clock that decides, as far as it is known; for calendars
   */
  static EncodedLimit of(Limit limit, long id, Supplier<Instant> clock) {
    boolean isBucket = limit instanceof TokenBucket || limit instanceof LeakyBucket;
    EncodedLimit known = isBucket ? BUCKETS.get(limit) : null;
    if (known != null) {
      return known;
    }
    EncodedLimit encoded =
        new EncodedLimit(limit.algorithm(), letter(limit), numbers(limit, id, clock));
    if (isBucket) {
      if (BUCKETS.size() >= MOST_BUCKETS) {
        BUCKETS.clear();
      }
      BUCKETS.put(limit, encoded);
    }
    return encoded;
  }

  private static String letter(Limit limit) {
    return switch (limit.algorithm()) {
      case TOKEN_BUCKET -> "b";
      case LEAKY_BUCKET -> "l";
      case FIXED_WINDOW -> ((FixedWindow) limit).window() instanceof CalendarWindow ? "c" : "f";
      case SLIDING_WINDOW -> "s";
      case CONCURRENCY -> "h";
    };
  }

  /** Returns the letter of the kind of limit in keys; both kinds of fixed window have the same. */
  static String keyLetter(Limit limit) {
    return limit instanceof FixedWindow ? "w" : letter(limit);
  }

  private static List<Long> numbers(Limit limit, long id, Supplier<Instant> clock) {
    return switch (limit.algorithm()) {
      case TOKEN_BUCKET -> bucket(limit, ((TokenBucket) limit).rate());
      case LEAKY_BUCKET -> bucket(limit, ((LeakyBucket) limit).rate());
      case FIXED_WINDOW -> window((FixedWindow) limit, clock);
      case SLIDING_WINDOW -> {
        SlidingWindow window = (SlidingWindow) limit;
        long width = Spans.micros(window.subWindow());
        yield List.of(window.quota(), width, (long) window.subWindows());
      }
      case CONCURRENCY -> {
        Concurrency concurrency = (Concurrency) limit;
        long ttl = Spans.micros(concurrency.ttl());
        yield List.of(concurrency.permits(), ttl, id);
      }
    };
  }

  private static List<Long> bucket(Limit limit, Limit.Rate rate) {
    BucketUnits units = BucketUnits.of(rate.permits(), rate.periodMicros(), limit.capacity());
    return List.of(units.p(), units.q(), units.tickMicros(), limit.capacity());
  }

  private static List<Long> window(FixedWindow fixed, Supplier<Instant> clock) {
    long longest = Spans.micros(fixed.window().longest());
    if (!(fixed.window() instanceof CalendarWindow calendar)) {
      return List.of(fixed.quota(), longest);
    }
    CalendarWindow.Bounds current = calendar.at(clock.get());
    CalendarWindow.Bounds previous = calendar.at(current.start().minusNanos(1));
    CalendarWindow.Bounds next = calendar.at(current.end());
    return List.of(
        fixed.quota(),
        longest,
        micros(previous.start()),
        micros(current.start()),
        micros(current.end()),
        micros(next.end()));
  }

  static long micros(Instant instant) {
    return ChronoUnit.MICROS.between(Instant.EPOCH, instant);
  }

  /**
   * Returns whether equal decisions may be made as one: each grant lowers what remains by exactly
   * its permits. Each request to a leaky bucket has a time of its own, and each held permit an id.
   */
  boolean isMergeable() {
    return switch (algorithm) {
      case LEAKY_BUCKET, CONCURRENCY -> false;
      case TOKEN_BUCKET, FIXED_WINDOW, SLIDING_WINDOW -> true;
    };
  }

  /** Returns about how long a decision over one counter occupies Redis, in microseconds. */
  int costMicros(long permits) {
    return switch (algorithm) {
      case TOKEN_BUCKET, LEAKY_BUCKET, FIXED_WINDOW -> SIMPLE_LIMIT_MICROS;
      case SLIDING_WINDOW -> 8 + (int) (numbers.get(2) / 20);
      case CONCURRENCY -> 20 + 3 * (int) Math.min(permits, Concurrency.MOST_PERMITS);
    };
  }
}
