package dev.weir.local;

import java.time.Instant;
import java.util.function.Supplier;

/**
 * The one time at which a decision is made.
 *
 * @param nanos of the clock that pauses while another store decides
 * @param tickNanos of the clock that never pauses
 * @param calendar returns the date
 */
record Now(long nanos, long tickNanos, Supplier<Instant> calendar) {

  Instant date() {
    return calendar.get();
  }
}
