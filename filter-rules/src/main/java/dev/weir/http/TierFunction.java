package dev.weir.http;

import java.util.Optional;

/**
 * A user's own function that determines a client's tier, such as from a claim of its token.
 * Implementations are thread-safe and quick: they run before the request is admitted.
 *
 * <p>If the function throws, the client has no tier, and the exception is reported.
 */
@FunctionalInterface
public interface TierFunction {

  /**
   * Returns the tier of the client of this request. If it is empty or an unknown tier, the default
   * tier applies.
   */
  Optional<String> tier(RequestView request);
}
