package dev.weir.http;

import java.util.Optional;

/**
 * A user's own function that determines the subject, such as a tenant found in a token.
 * Implementations are thread-safe and quick: they run before the request is admitted.
 *
 * <p>If the function throws, the subject counts as missing, and the exception is reported.
 */
@FunctionalInterface
public interface SubjectFunction {

  /**
   * Returns the subject to count this request for. It is missing if this is empty or an empty
   * string. Count only what the client cannot choose freely. Otherwise the client can create any
   * number of buckets.
   */
  Optional<String> resolve(RequestView request);
}
