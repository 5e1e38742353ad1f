package dev.weir.http;

import java.time.Duration;

/** Whole seconds, as response fields count them. */
final class Seconds {

  private static final long NANOS = 1_000_000_000;

  private Seconds() {}

  /** Returns the seconds rounded up. A client that waits that long has waited long enough. */
  static long roundedUp(Duration time) {
    return time.getNano() == 0 ? time.getSeconds() : time.getSeconds() + 1;
  }

  /** Returns the seconds of these nanoseconds, rounded up. */
  static long roundedUp(long nanos) {
    return -Math.floorDiv(-nanos, NANOS);
  }
}
