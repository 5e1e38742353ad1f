package dev.weir;

import java.time.Duration;
import java.time.Instant;

/** Time that a test advances: a ticker, and a calendar that may also be set. */
public final class ManualTime implements Ticker {

  private long nanos = -7_000_000_000L;
  private Instant date = Instant.parse("2026-11-20T10:00:00Z");

  @Override
  public synchronized long nanoTime() {
    return nanos;
  }

  public synchronized Instant instant() {
    return date;
  }

  public synchronized void advance(Duration time) {
    nanos += time.toNanos();
    date = date.plus(time);
  }

  /** Sets the calendar as an operator sets a clock: the ticker does not notice. */
  public synchronized void setDate(Instant instant) {
    date = instant;
  }
}
