package dev.weir.http;

import org.jspecify.annotations.Nullable;

/**
 * A user's own function from a subject to the numbers of a limit, as a class that a file names. It
 * may read the quota of a customer from a database.
 *
 * <p>It is called on threads of its own, so it may block: no request waits for it. At most 16 calls
 * run at once on a node, one at a time for a subject of a limit, and at most one a minute. Until a
 * call returns, and after one that fails, the numbers that were last known apply, or else those of
 * the limit. Implementations are thread-safe.
 */
@FunctionalInterface
public interface LimitFunction {

  /**
   * Returns the limit of this subject in one line, such as {@code 50 per second, burst 100}. It has
   * the algorithm of the limit that names this function; another one is ignored, with a warning.
   * Returns null for a subject that has no numbers of its own, or that does not exist: clients may
   * make up any subject.
   *
   * @param subject the value of the first part of the rule's subject, such as an API key
   * @throws Exception when the numbers cannot be determined now; neither its message nor the
   *     subject is logged
   */
  @Nullable String limitOf(String subject) throws Exception;
}
