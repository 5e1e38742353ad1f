package dev.weir;

import java.time.Duration;
import java.util.Objects;

/** On which terms an {@link Ask} wants its permits. */
public sealed interface Terms {

  /** All of them, or none. */
  record Exactly() implements Terms {}

  /**
   * As {@link Exactly}, and where the counter is: not out of permits that this node holds, whose
   * answers do not tell to the permit what is left.
   */
  record Precisely() implements Terms {}

  /**
   * As many of them as the store will lend this node for a moment, to be spent in process; the
   * answer is a {@link Decision.Lent}. A store that lends nothing answers as for {@link Peek}.
   *
   * @param settled what has become of the lease before
   */
  record Leased(LeaseSettlement settled) implements Terms {

    public Leased {
      Objects.requireNonNull(settled, "settled");
    }
  }

  /**
   * As many of them as there are, in whole permits; when there is none, it is denied as a request
   * for one would be. So no such request is too large.
   */
  record UpTo() implements Terms {}

  /**
   * None: tells how things stand, and what would be answered if all of them were asked for. Nothing
   * is charged.
   */
  record Peek() implements Terms {}

  /**
   * All of them by then, or none: where the limit keeps a place for whoever waits, permits are
   * taken now that may be used only after the {@link Decision#delay}. A token bucket and a leaky
   * one do; windows answer as for {@link Exactly}.
   *
   * @param maxWait how long the request can wait, at least zero
   */
  record Within(Duration maxWait) implements Terms {

    /**
     * @throws IllegalArgumentException when it is negative
     */
    public Within {
      if (maxWait.isNegative()) {
        throw Expect.failure("maxWait", maxWait, ">= 0");
      }
    }
  }

  /** The only {@link Exactly} that is needed. */
  Terms EXACTLY = new Exactly();

  /** The only {@link Precisely} that is needed. */
  Terms PRECISELY = new Precisely();

  /** The only {@link UpTo} that is needed. */
  Terms UP_TO = new UpTo();

  /** The only {@link Peek} that is needed. */
  Terms PEEK = new Peek();
}
