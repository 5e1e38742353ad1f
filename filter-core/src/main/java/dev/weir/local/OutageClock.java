package dev.weir.local;

import dev.weir.Ticker;
import java.time.Instant;
import java.util.function.Supplier;

/**
 * The clock of the fallback's buckets. It runs while this store decides, and pauses while another
 * one does. Both of its readings begin at zero. Only a thread with every lock of the store changes
 * it.
 */
final class OutageClock {

  private final Ticker ticker;
  private final Supplier<Instant> calendar;
  private final long originNanos;
  private boolean running = true;
  private long stoodNanos;
  private long stoppedAtNanos;

  OutageClock(Ticker ticker, Supplier<Instant> calendar) {
    this.ticker = ticker;
    this.calendar = calendar;
    this.originNanos = ticker.nanoTime();
  }

  boolean isRunning() {
    return running;
  }

  Now now() {
    long tickNanos = tickNanos();
    long nanos = (running ? tickNanos : stoppedAtNanos) - stoodNanos;
    return new Now(nanos, tickNanos, calendar);
  }

  void stop() {
    stoppedAtNanos = tickNanos();
    running = false;
  }

  /** Runs from now on, and returns how long the clock was paused. */
  long start() {
    long gapNanos = Math.max(0, tickNanos() - stoppedAtNanos);
    stoodNanos += gapNanos;
    running = true;
    return gapNanos;
  }

  private long tickNanos() {
    return ticker.nanoTime() - originNanos;
  }
}
