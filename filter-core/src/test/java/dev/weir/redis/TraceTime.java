package dev.weir.redis;

import dev.weir.limit.Limit;
import dev.weir.limit.SlidingWindow;
import dev.weir.store.LimitStore.Ticker;
import java.math.BigInteger;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;

/** The time that a trace gives to a store, for every clock that it reads. */
final class TraceTime implements Ticker {

  private static final long START = 1_795_000_000_000_000L;

  private final AtomicLong micros = new AtomicLong(START);

  /** Resets the time for the next trace. */
  void startAgain() {
    micros.set(START);
  }

  /** Starts at the begin of a sub-window of each: the local store numbers them from its opening. */
  static TraceTime from(List<Limit> limits) {
    BigInteger together = BigInteger.ONE;
    for (Limit limit : limits) {
      if (limit instanceof SlidingWindow sliding) {
        BigInteger width = BigInteger.valueOf(TimeUnit.MICROSECONDS.convert(sliding.subWindow()));
        together = together.multiply(width).divide(together.gcd(width));
      }
    }
    TraceTime time = new TraceTime();
    time.micros.set(START - START % together.longValueExact());
    return time;
  }

  long micros() {
    return micros.get();
  }

  /** Advances no further than numbers are exact. */
  void advance(long more) {
    long next = micros() + Math.min(more, START);
    micros.set(next > 2 * START ? micros() + Math.min(more, 1) : next);
  }

  @Override
  public long nanoTime() {
    return micros() * 1_000;
  }

  public Instant instant() {
    return Instant.EPOCH.plus(micros(), ChronoUnit.MICROS);
  }
}
