package dev.weir.store;

import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.TimeUnit;

/**
 * The state of one counter after a decision, as of the moment of the decision.
 *
 * @param counter the counter of this verdict
 * @param remaining how many permits would still be granted now, from 0 to the capacity
 * @param retry whether the requested permits of this counter fit, or when they would
 * @param resetAfterNanos how long until the counter is full if no more permits are taken
 */
public record Verdict(Counter counter, long remaining, Retry retry, long resetAfterNanos) {

  public Verdict {
    Objects.requireNonNull(counter, "counter");
    Objects.requireNonNull(retry, "retry");
  }

  /** Creates the same with a reset after this time, or after 292 years if that is less. */
  public Verdict(Counter counter, long remaining, Retry retry, Duration resetAfter) {
    this(counter, remaining, retry, TimeUnit.NANOSECONDS.convert(resetAfter));
  }

  /** Returns this with another retry. */
  public Verdict withRetry(Retry newRetry) {
    return new Verdict(counter, remaining, newRetry, resetAfterNanos);
  }

  /** Returns how long it takes until the counter is full if no more permits are taken. */
  public Duration resetAfter() {
    return Duration.ofNanos(resetAfterNanos);
  }

  /** Returns whether the requested permits of this counter fit. */
  public boolean fits() {
    return retry instanceof Retry.Now;
  }
}
