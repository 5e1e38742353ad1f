package dev.weir.near;

import java.util.SplittableRandom;

/**
 * How long a call takes, there and back: 0.3 to 2 ms, and a few of them much longer.
 *
 * @param isLost whether the reply is lost
 */
record Latency(long thereMicros, long backMicros, boolean isLost) {

  /** No way is shorter. */
  static final int LEAST_MICROS = 150;

  private static final int MOST_MICROS = 1_000;
  private static final int SLOWEST_MICROS = 40_000;
  private static final int ONE_IN_SO_MANY_IS_SLOW = 400;
  private static final int ONE_IN_SO_MANY_IS_LOST = 5_000;

  static Latency of(SplittableRandom random) {
    int slow = random.nextInt(2 * ONE_IN_SO_MANY_IS_SLOW);
    long there = slow == 0 ? random.nextInt(LEAST_MICROS, SLOWEST_MICROS) : usual(random);
    long back = slow == 1 ? random.nextInt(LEAST_MICROS, SLOWEST_MICROS) : usual(random);
    return new Latency(there, back, random.nextInt(ONE_IN_SO_MANY_IS_LOST) == 0);
  }

  private static int usual(SplittableRandom random) {
    return random.nextInt(LEAST_MICROS, MOST_MICROS);
  }
}
