package dev.weir;

import java.time.Duration;
import java.util.Objects;

/**
 * How one counter stands after a decision, as of the moment of deciding.
 *
 * @param counter whose verdict this is
 * @param remaining how many permits would still be granted now, from 0 to the capacity
 * @param retry whether the permits asked of this counter fit, or when they would
 * @param resetAfter how long until the counter is as good as new if nobody takes more
 */
public record Verdict(Counter counter, long remaining, Retry retry, Duration resetAfter) {

  public Verdict {
    Objects.requireNonNull(counter, "counter");
    Objects.requireNonNull(retry, "retry");
    Objects.requireNonNull(resetAfter, "resetAfter");
  }

  /** Whether the permits asked of this counter fit. */
  public boolean fits() {
    return retry instanceof Retry.Now;
  }
}
