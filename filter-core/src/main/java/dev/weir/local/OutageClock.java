package dev.weir.local;

import dev.weir.Ticker;
import java.time.Instant;
import java.util.function.Supplier;

/**
 * The clock of the fallback's buckets. It runs from the start, and pauses from {@link #stop} to
 * {@link #start}, while another store decides. Both of its readings begin at zero. Only a thread
 * with every lock of the store changes it.
 */
final class OutageClock {

  private final Ticker ticker;
  private final Supplier<Instant> calendar;
  private final long originNanos;
  private boolean running = true;
  private long stoodNanos;
  private long stoppedAtNanos;

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

  OutageClock(Ticker ticker, Supplier<Instant> calendar) {
    this.ticker = ticker;
    this.calendar = calendar;
    this.originNanos = ticker.nanoTime();
  }

  Now now() {
    long tickNanos = tickNanos();
    long nanos = (running ? tickNanos : stoppedAtNanos) - stoodNanos;
    return new Now(nanos, tickNanos, calendar);
  }

  /** Pauses, unless the clock is paused already. */
  void stop() {
    if (running) {
      stoppedAtNanos = tickNanos();
      running = false;
    }
  }

  /** Runs from now on. Returns how long the clock was paused, which is 0 if it was running. */
  long start() {
    if (running) {
      return 0;
    }
    long gapNanos = Math.max(0, tickNanos() - stoppedAtNanos);
    stoodNanos += gapNanos;
    running = true;
    return gapNanos;
  }

  private long tickNanos() {
    return ticker.nanoTime() - originNanos;
  }
}
