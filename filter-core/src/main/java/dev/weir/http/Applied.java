package dev.weir.http;

import java.util.Optional;

/**
 * A rule that applies to a request, and why.
 *
 * @param template the path of the pattern that matched; empty when the rule was bound otherwise
 */
record Applied(Rule rule, Optional<String> template) {

  static Applied matched(Rule rule, RequestPattern pattern) {
    return new Applied(rule, pattern.template());
  }

  static Applied bound(Rule rule) {
    return new Applied(rule, Optional.empty());
  }
}
