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
   * <p>Two rules that charge one limit for the same request are charged together: where that is
   * more than the limit ever grants, the request is always denied.
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
    for (int i = 0; i < rules.size(); i++) {
      for (int j = i + 1; j < rules.size(); j++) {
        overcharged(rules.get(i), rules.get(j)).ifPresent(advice::add);
      }
    }
    return List.copyOf(advice);
  }

  private static Optional<String> overcharged(Rule one, Rule other) {
    if (!one.subject().toString().equals(other.subject().toString()) || !meet(one, other)) {
      return Optional.empty();
    }
    return one.limits().stream()
        .filter(other.limits()::contains)
        .filter(limit -> one.cost() + other.cost() > limit.limit().capacity())
        .findFirst()
        .map(
            limit ->
                "rules '%s' and '%s' together charge limit '%s' %d permits for one request, and it grants %d at most: what both match is always denied"
                    .formatted(
                        one.name(),
                        other.name(),
                        limit.name(),
                        one.cost() + other.cost(),
                        limit.limit().capacity()));
  }

  private static boolean meet(Rule one, Rule other) {
    if (one.match().isEmpty() || other.match().isEmpty()) {
      return false;
    }
    return one.match().get().match().stream()
        .anyMatch(mine -> other.match().get().match().stream().anyMatch(mine::meets));
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
