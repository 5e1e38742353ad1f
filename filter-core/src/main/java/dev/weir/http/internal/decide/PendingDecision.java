package dev.weir.http.internal.decide;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/** The decision of the rules that may reject a request, made now or later. */
public sealed interface PendingDecision {

  /** The decision is made. */
  record Immediate(RuleDecision answered) implements PendingDecision {}

  /**
   * The request waits for the decision.
   *
   * @param charged what is charged when the request runs
   * @param place cancelled when the request gives up its wait
   * @param answered the later decision; fails only when the wait was cancelled
   */
  record Deferred(
      List<RuleCharges> charged,
      CompletableFuture<?> place,
      CompletableFuture<RuleDecision> answered,
      Duration maxWait)
      implements PendingDecision {}
}
