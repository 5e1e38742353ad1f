package dev.weir.local;

import dev.weir.Ticker;
import java.time.Instant;
import java.util.function.Supplier;

/**
 * Time as the fallback's buckets see it: it runs while this store decides, and stands while another
 * one does. Both of its readings begin at zero. Changed only by who holds every lock of the store.
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

  Moment now() {
    long tickNanos = tickNanos();
    long nanos = (running ? tickNanos : stoppedAtNanos) - stoodNanos;
    return new Moment(nanos, tickNanos, calendar);
  }

  void stop() {
    stoppedAtNanos = tickNanos();
    running = false;
  }

  /** Runs from now on, and returns how long it stood. */
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
