package dev.weir.http;

import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Future;

/** The decision of the rules that may reject a request, made now or later. */
sealed interface PendingDecision {

  /**
   * The decision is made.
   *
   * @param answered empty when there are no such rules
   */
  record Immediate(Optional<RuleDecision> answered) implements PendingDecision {}

  /**
   * The request waits for the decision.
   *
   * @param place cancelled when the request gives up its wait
   * @param answered the later decision; fails only when the wait was cancelled
   */
  record Deferred(Future<?> place, CompletableFuture<RuleDecision> answered, Duration maxWait)
      implements PendingDecision {}
}
