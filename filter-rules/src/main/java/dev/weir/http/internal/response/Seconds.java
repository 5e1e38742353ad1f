package dev.weir.http.internal.response;

import java.time.Duration;

/** Whole seconds, as response fields count them. */
public final class Seconds {

  private static final long NANOS = 1_000_000_000;

  private Seconds() {}

  /** Returns the seconds rounded up. A client that waits that long has waited long enough. */
  public static long roundedUp(Duration time) {
    return time.getNano() == 0 ? time.getSeconds() : time.getSeconds() + 1;
  }

  /** Returns the seconds of these nanoseconds, rounded up. */
  public static long roundedUp(long nanos) {
    return -Math.floorDiv(-nanos, NANOS);
  }
}
