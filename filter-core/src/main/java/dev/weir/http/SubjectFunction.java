package dev.weir.http;

import java.util.Optional;

/**
 * A user's own way to tell who is counted, such as a tenant found in a token. Implementations are
 * thread-safe and quick: they run before the request is admitted.
 *
 * <p>One that throws is taken as one that found nobody, and is reported.
 */
@FunctionalInterface
public interface SubjectFunction {

  /**
   * Whom to count this request against; empty or an empty string when it names nobody. Count only
   * what the client cannot choose freely, or it mints as many buckets as it likes.
   */
  Optional<String> resolve(RequestView request);
}
