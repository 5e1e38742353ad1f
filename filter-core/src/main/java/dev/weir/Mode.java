package dev.weir;

import dev.weir.internal.Expect;
import dev.weir.internal.LeaseSettlement;
import java.time.Duration;
import java.util.Objects;

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
   * Takes as many of them as the store lends this node for a short time, to be spent in process.
   * The decision is a {@link Decision.Lent}. A store that lends nothing decides as for {@link
   * Peek}.
   *
   * @param settled what became of the previous lease
   */
  record Leased(LeaseSettlement settled) implements Mode {

    public Leased {
      Objects.requireNonNull(settled, "settled");
    }
  }

  /**
   * Takes as many of them as are available, in whole permits. Where none is, the request is denied
   * as one for a single permit would be. So no such request is too large.
   */
  record UpTo() implements Mode {}

  /**
   * Takes none. Returns the current state, and what a request for all of them would get. Nothing is
   * charged.
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
