package dev.weir.redis;

import java.util.SplittableRandom;

/** Stretches of a trace in which a counter begins again and all its permits are requested. */
final class Saturation {

  private static final int LENGTH = 24;
  private static final int ONE_IN = 120;

  /** The purpose of a step. */
  enum Stretch {
    BEGINS,
    LASTS,
    NONE
  }

  private final SplittableRandom random;
  private int left;

  Saturation(SplittableRandom random) {
    this.random = random;
  }

  Stretch next() {
    if (left > 0) {
      left--;
      return Stretch.LASTS;
    }
    if (random.nextInt(ONE_IN) > 0) {
      return Stretch.NONE;
    }
    left = LENGTH;
    return Stretch.BEGINS;
  }
}
