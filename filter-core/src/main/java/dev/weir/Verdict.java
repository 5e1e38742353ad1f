package dev.weir;

import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.TimeUnit;

/**
 * How one counter stands after a decision, as of the moment of deciding.
 *
 * @param counter whose verdict this is
 * @param remaining how many permits would still be granted now, from 0 to the capacity
 * @param retry whether the permits asked of this counter fit, or when they would
 * @param resetAfterNanos how long until the counter is as good as new if nobody takes more
 */
public record Verdict(Counter counter, long remaining, Retry retry, long resetAfterNanos) {

  public Verdict {
    Objects.requireNonNull(counter, "counter");
    Objects.requireNonNull(retry, "retry");
  }

  /** The same with a reset after this time, or 292 years if that is less. */
  public Verdict(Counter counter, long remaining, Retry retry, Duration resetAfter) {
    this(counter, remaining, retry, TimeUnit.NANOSECONDS.convert(resetAfter));
  }

  /** How long until the counter is as good as new if nobody takes more. */
  public Duration resetAfter() {
    return Duration.ofNanos(resetAfterNanos);
  }

  /** Whether the permits asked of this counter fit. */
  public boolean fits() {
    return retry instanceof Retry.Now;
  }
}
