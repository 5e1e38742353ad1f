package dev.weir.http;

import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Future;

/** What the rules that may refuse a request have decided, or will. */
sealed interface Turn {

  /**
   * Decided.
   *
   * @param answered empty when there are no such rules
   */
  record Now(Optional<Answered> answered) implements Turn {}

  /**
   * The request waits for it.
   *
   * @param place cancelled by whoever leaves
   * @param answered what is decided then; fails only when somebody has left
   */
  record Later(Future<?> place, CompletableFuture<Answered> answered, Duration maxWait)
      implements Turn {}
}
