package dev.weir.http;

import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Future;

/** What the rules that may refuse a request have decided, or will. */
sealed interface PendingDecision {

  /**
   * Decided.
   *
   * @param answered empty when there are no such rules
   */
  record Immediate(Optional<RuleDecision> answered) implements PendingDecision {}

  /**
   * The request waits for it.
   *
   * @param place cancelled by whoever leaves
   * @param answered what is decided then; fails only when somebody has left
   */
  record Deferred(Future<?> place, CompletableFuture<RuleDecision> answered, Duration maxWait)
      implements PendingDecision {}
}
