package dev.weir.http;

import java.util.Optional;

/**
 * A user's own way to tell a client's plan, such as a claim of its token. Implementations are
 * thread-safe and quick: they run before the request is admitted.
 *
 * <p>One that throws is taken as one that knows of no plan, and is reported.
 */
@FunctionalInterface
public interface PlanFunction {

  /** The plan of the client of this request; empty when it has none, or one of nobody's. */
  Optional<String> plan(RequestView request);
}
