package dev.weir.bench.grid;

import dev.weir.bench.Median;
import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import redis.clients.jedis.Jedis;

/** The distance of Redis. */
enum Distance {
  /** On the same machine, without a proxy. */
  NEAR("near", Duration.ZERO),
  ONE_MILLI("1ms", Duration.ofMillis(1)),
  TEN_MILLIS("10ms", Duration.ofMillis(10));

  /** A proxy that takes longer than so many nominal round trips measures the machine. */
  private static final double MOST = 1.3;

  private static final int WARM_UPS = 50;
  private static final int FEWEST_PINGS = 51;
  private static final long PINGS_NANOS = 300_000_000;
  private static final int PATIENCE_MILLIS = 10_000;

  private final String text;
  private final Duration roundTrip;

  Distance(String text, Duration roundTrip) {
    this.text = text;
    this.roundTrip = roundTrip;
  }

  String text() {
    return text;
  }

  Duration roundTrip() {
    return roundTrip;
  }

  /**
   * Returns why a row measured now would be void: {@code PING} takes too long. Near Redis there is
   * no nominal round trip, so there is no such reason.
   */
  Optional<String> whyVoid(String uri) {
    return this == NEAR ? Optional.empty() : whyVoid(medianPing(uri));
  }

  /**
   * @throws IllegalStateException when it takes less than the nominal round trip: there is no delay
   */
  Optional<String> whyVoid(double pingNanos) {
    double ratio = pingNanos / roundTrip.toNanos();
    String ping =
        String.format(Locale.ROOT, "PING %.2f ms of %d", pingNanos / 1e6, roundTrip.toMillis());
    if (ratio < 1) {
      throw new IllegalStateException(ping + " (expected: at least as long)");
    }
    return ratio > MOST ? Optional.of(ping) : Optional.empty();
  }

  private double medianPing(String uri) {
    try (Jedis redis = new Jedis(URI.create(uri), PATIENCE_MILLIS)) {
      for (int i = 0; i < WARM_UPS; i++) {
        redis.ping();
      }
      List<Long> all = new ArrayList<>();
      long end = System.nanoTime() + PINGS_NANOS;
      while (all.size() < FEWEST_PINGS || System.nanoTime() - end < 0) {
        long before = System.nanoTime();
        redis.ping();
        all.add(System.nanoTime() - before);
      }
      return Median.of(all, Long::doubleValue);
    }
  }
}
