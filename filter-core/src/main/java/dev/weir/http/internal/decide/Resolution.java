package dev.weir.http.internal.decide;

import java.util.List;
import java.util.Optional;

/** What rules ask of the store for one request, or what they decide without it. */
public sealed interface Resolution {

  /** The rules have decided. The store is not asked. */
  record Decided(RuleDecision decision) implements Resolution {}

  /**
   * The store must decide, about all of these charges together.
   *
   * @param charged at least one, each with at least one charge
   * @param patience of a request that waits when it is denied; empty when no rule delays
   */
  record Charged(List<RuleCharges> charged, Optional<Patience> patience) implements Resolution {}
}
