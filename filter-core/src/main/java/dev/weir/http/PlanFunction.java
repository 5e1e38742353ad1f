package dev.weir.http;

import java.util.Optional;

/**
 * A user's own function that determines a client's plan, such as from a claim of its token.
 * Implementations are thread-safe and quick: they run before the request is admitted.
 *
 * <p>If the function throws, the client has no plan, and the exception is reported.
 */
@FunctionalInterface
public interface PlanFunction {

  /**
   * Returns the plan of the client of this request. If it is empty or an unknown plan, the default
   * plan applies.
   */
  Optional<String> plan(RequestView request);
}
