package dev.weir.http;

import java.time.Duration;

/** Whole seconds, as response fields count them. */
final class Seconds {

  private Seconds() {}

  /** So that who waits as told has waited long enough. */
  static long roundedUp(Duration time) {
    long seconds = time.toSeconds();
    return time.minusSeconds(seconds).isZero() ? seconds : seconds + 1;
  }
}
