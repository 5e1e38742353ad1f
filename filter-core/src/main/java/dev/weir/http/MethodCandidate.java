package dev.weir.http;

/**
 * A method that a request may have.
 *
 * @param isSupposed whether nothing that we can see says so: then only patterns that name the
 *     method take it, for those that take any have taken what was sent
 */
record MethodCandidate(String method, boolean isSupposed) {

  static MethodCandidate seen(String method) {
    return new MethodCandidate(method, false);
  }

  static MethodCandidate supposed(String method) {
    return new MethodCandidate(method, true);
  }

  /** Whether it is a reason for this pattern's rule to apply. */
  boolean isTakenBy(RequestPattern pattern) {
    return isSupposed ? pattern.methods().contains(method) : pattern.accepts(method);
  }

  /** Whether it is one of those that this pattern excepts. */
  boolean isExceptedBy(RequestPattern pattern) {
    return pattern.accepts(method);
  }
}
