package dev.weir.bench.peer;

import dev.weir.limit.FixedWindow;
import dev.weir.limit.FixedWindow.CalendarWindow;
import dev.weir.limit.LeakyBucket;
import dev.weir.limit.Limit;
import dev.weir.limit.SlidingWindow;
import dev.weir.limit.TokenBucket;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.stream.LongStream;

/**
 * The script that one writes by hand for a kind of limit: the fastest of those that were tried.
 *
 * @param numbers its arguments before the permits, but for the calendar's
 * @param calendar whose windows it counts in, if it does
 */
record NaiveScript(String file, List<byte[]> numbers, Optional<CalendarWindow> calendar) {

  /**
   * @throws IllegalArgumentException when there is none for this kind
   */
  static NaiveScript of(Limit limit) {
    if (limit instanceof TokenBucket bucket) {
      long permits = bucket.rate().permits();
      long micros = micros(bucket.rate().period());
      long common = gcd(permits, micros);
      return common == permits
          ? of("naive-gcra.lua", micros / common, bucket.burst())
          : of("naive-token.lua", permits / common, micros / common, bucket.burst());
    }
    if (limit instanceof FixedWindow window) {
      return window.window() instanceof CalendarWindow calendar
          ? new NaiveScript(
              "naive-calendar.lua", List.of(bytes(window.quota())), Optional.of(calendar))
          : of("naive-fixed.lua", window.quota(), micros(window.timeToFull()));
    }
    if (limit instanceof SlidingWindow window) {
      return of("naive-sliding.lua", window.quota(), micros(window.length()));
    }
    if (limit instanceof LeakyBucket bucket) {
      long permits = bucket.rate().permits();
      long interval = (micros(bucket.rate().period()) + permits - 1) / permits;
      return of("naive-leaky.lua", interval, bucket.capacity());
    }
    throw new IllegalArgumentException(limit + ": no naive script (expected: a limit per time)");
  }

  private static NaiveScript of(String file, long... numbers) {
    return new NaiveScript(
        file, LongStream.of(numbers).mapToObj(NaiveScript::bytes).toList(), Optional.empty());
  }

  /** Returns the arguments of a call at this moment, before the permits. */
  List<byte[]> arguments() {
    return calendar.isEmpty() ? numbers : withEnds(calendar.get(), Instant.now());
  }

  private List<byte[]> withEnds(CalendarWindow window, Instant now) {
    Instant end = window.at(now).end();
    List<byte[]> all = new ArrayList<>(numbers);
    all.add(bytes(end.toEpochMilli()));
    all.add(bytes(window.endAfter(end, 1).toEpochMilli()));
    return all;
  }

  private static long micros(Duration time) {
    return TimeUnit.MICROSECONDS.convert(time);
  }

  private static long gcd(long one, long other) {
    return BigInteger.valueOf(one).gcd(BigInteger.valueOf(other)).longValueExact();
  }

  private static byte[] bytes(long number) {
    return String.valueOf(number).getBytes(StandardCharsets.US_ASCII);
  }
}
