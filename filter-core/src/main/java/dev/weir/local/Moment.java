package dev.weir.local;

import java.time.Instant;
import java.util.function.Supplier;

/**
 * The one time at which a decision is made.
 *
 * @param nanos of the clock that stands while another store decides
 * @param tickNanos of the clock that never stands
 * @param calendar tells the date
 */
record Moment(long nanos, long tickNanos, Supplier<Instant> calendar) {

  Instant date() {
    return calendar.get();
  }
}
