package dev.weir.store;

import dev.weir.internal.Expect;
import java.time.Duration;

/** How an {@link AcquireRequest} takes its permits. */
public sealed interface Mode {

  /** Takes all of them, or none. */
  record Exactly() implements Mode {}

  /**
   * As {@link Exactly}, but never out of a token lease of this node: such decisions do not state
   * exactly what is left.
   */
  record BypassLeases() implements Mode {}

  /**
   * Takes as many of them as are available, in whole permits. Where none is, the request is denied
   * as one for a single permit would be. So no such request is too large.
   */
  record UpTo() implements Mode {}

  /**
   * Takes none. Returns the current state, and what a request for all of them would get from the
   * store. Nothing is charged. Permits on token leases count as taken.
   */
  record Peek() implements Mode {}

  /**
   * Takes all of them if they are available within a time, or none. A token bucket and a leaky
   * bucket reserve them now, for use after the {@link Decision#delay}. Other limits decide as for
   * {@link Exactly}.
   *
   * @param maxWait how long the request can wait, at least zero
   */
  record Within(Duration maxWait) implements Mode {

    /**
     * @throws IllegalArgumentException when it is negative
     */
    public Within {
      if (maxWait.isNegative()) {
        throw Expect.failure("maxWait", maxWait, ">= 0");
      }
    }
  }

  /** An {@link Exactly}. */
  Mode EXACTLY = new Exactly();

  /** A {@link BypassLeases}. */
  Mode BYPASS_LEASES = new BypassLeases();

  /** An {@link UpTo}. */
  Mode UP_TO = new UpTo();

  /** A {@link Peek}. */
  Mode PEEK = new Peek();
}
