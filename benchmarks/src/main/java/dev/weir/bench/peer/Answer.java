package dev.weir.bench.peer;

/**
 * The answer of a limiter, with what a filter writes into the fields of a response.
 *
 * @param resetMicros until the limit is full again
 */
public record Answer(boolean allowed, long remaining, long resetMicros) {

  private static final long MICROS_PER_SECOND = 1_000_000;

  /** Returns the time until the limit is full again, in seconds, rounded up. */
  public long resetSeconds() {
    return (resetMicros + MICROS_PER_SECOND - 1) / MICROS_PER_SECOND;
  }
}
