package dev.weir.http.internal.match;

import dev.weir.http.RequestPattern;

/**
 * A method that a request may have.
 *
 * @param isSupposed whether nothing visible in the request names this method. Only patterns that
 *     name a supposed method accept it. Patterns that accept any method have accepted the one that
 *     was sent
 */
public record MethodCandidate(String method, boolean isSupposed) {

  static MethodCandidate seen(String method) {
    return new MethodCandidate(method, false);
  }

  static MethodCandidate supposed(String method) {
    return new MethodCandidate(method, true);
  }

  /** Returns whether this method makes the pattern's rule apply. */
  public boolean isTakenBy(RequestPattern pattern) {
    return isSupposed ? pattern.methods().contains(method) : pattern.accepts(method);
  }

  /** Returns whether the pattern excepts this method. */
  public boolean isExceptedBy(RequestPattern pattern) {
    return pattern.accepts(method);
  }
}
