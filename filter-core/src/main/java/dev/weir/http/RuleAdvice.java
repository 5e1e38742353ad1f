package dev.weir.http;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** What is legal in a set of rules, and yet worth a word at start-up. */
public final class RuleAdvice {

  private RuleAdvice() {}

  /**
   * One line for each thing to think over; empty when there is nothing to say.
   *
   * <p>A rule that counts by what clients choose freely, such as a header, mints a bucket for each
   * value that they think of. It limits honest clients only, unless another rule counts the same
   * requests by {@code ip}, {@code global} or their route. A rule that is bound by annotations is
   * backed up by one for all paths.
   */
  public static List<String> of(List<Rule> rules) {
    List<String> advice = new ArrayList<>();
    for (Rule rule : rules) {
      if (rule.subject().isMintedByClients()) {
        unguarded(rule, rules).ifPresent(what -> advice.add(mintsBuckets(rule, what)));
      }
    }
    return List.copyOf(advice);
  }

  private static String mintsBuckets(Rule rule, String what) {
    return "rule '%s' counts by %s, which clients choose freely, and no rule by ip or global counts %s too: each new value is a new bucket"
        .formatted(rule.name(), rule.subject(), what);
  }

  /** What nothing but this rule counts. */
  private static Optional<String> unguarded(Rule rule, List<Rule> rules) {
    List<RequestMatcher> guards =
        rules.stream()
            .filter(other -> !other.subject().needsCredentials())
            .flatMap(other -> other.match().stream())
            .toList();
    if (rule.match().isEmpty()) {
      return guards.stream().anyMatch(RuleAdvice::takesAllPaths)
          ? Optional.empty()
          : Optional.of("what it is bound to");
    }
    return rule.match().get().match().stream()
        .filter(pattern -> guards.stream().noneMatch(guard -> covers(guard, pattern)))
        .findFirst()
        .map(pattern -> "'" + pattern.text() + "'");
  }

  private static boolean takesAllPaths(RequestMatcher guard) {
    return guard.match().stream()
        .anyMatch(
            pattern ->
                pattern.rest()
                    && pattern.segments().isEmpty()
                    && pattern.methods().isEmpty()
                    && pattern.host().isEmpty());
  }

  private static boolean covers(RequestMatcher guard, RequestPattern pattern) {
    return guard.match().stream().anyMatch(wide -> wide.covers(pattern))
        && guard.except().stream().noneMatch(hole -> hole.meets(pattern));
  }
}
