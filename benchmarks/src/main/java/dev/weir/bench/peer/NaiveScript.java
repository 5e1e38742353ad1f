package dev.weir.bench.peer;

import dev.weir.limit.FixedWindow;
import dev.weir.limit.LeakyBucket;
import dev.weir.limit.Limit;
import dev.weir.limit.SlidingWindow;
import dev.weir.limit.TokenBucket;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.LongStream;

/**
 * The script that one writes by hand for a kind of limit.
 *
 * @param numbers its arguments before the permits
 */
record NaiveScript(String file, List<byte[]> numbers) {

  /**
   * @throws IllegalArgumentException when there is none for this kind
   */
  static NaiveScript of(Limit limit) {
    if (limit instanceof TokenBucket bucket) {
      long permits = bucket.rate().permits();
      long micros = micros(bucket.rate().period());
      long common = gcd(permits, micros);
      return of("naive-token.lua", permits / common, micros / common, bucket.burst());
    }
    if (limit instanceof FixedWindow window) {
      return of("naive-fixed.lua", window.quota(), micros(window.timeToFull()));
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
        file, LongStream.of(numbers).mapToObj(number -> bytes(String.valueOf(number))).toList());
  }

  private static long micros(Duration time) {
    return TimeUnit.MICROSECONDS.convert(time);
  }

  private static long gcd(long one, long other) {
    return BigInteger.valueOf(one).gcd(BigInteger.valueOf(other)).longValueExact();
  }

  private static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.US_ASCII);
  }
}
