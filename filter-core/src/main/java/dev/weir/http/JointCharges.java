package dev.weir.http;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/**
 * What one request is charged by several rules. All that it is charged to one counter is one sum:
 * it is granted whole or not at all.
 *
 * <p>Rules charge one counter where they name one limit, count by the same subject, and match the
 * same request. Whether they do is told from their patterns, two by two. A rule that annotations
 * use may stand wherever others match; of two of these it is assumed that they stand in different
 * places.
 */
public final class JointCharges {

  /**
   * Rules that charge one counter of a limit for one request.
   *
   * @param rules in their order
   */
  record Joint(NamedLimit limit, List<Rule> rules) {

    /** The most that a request is charged. */
    long cost() {
      return costOf(rules);
    }

    /** Whether every request is charged as much. */
    boolean isFixed() {
      return rules.stream().allMatch(rule -> rule.cost() instanceof Cost.Fixed);
    }
  }

  private JointCharges() {}

  /** The most that one request is charged to one counter of the limit of this name, at least 1. */
  public static long dearest(String limit, List<Rule> rules) {
    return of(rules.stream().filter(rule -> charges(rule, limit)).toList())
        .filter(joint -> joint.limit().name().equals(limit))
        .mapToLong(Joint::cost)
        .max()
        .orElse(1);
  }

  /** The same for requests that this rule matches. */
  public static long dearest(Rule rule, NamedLimit limit, List<Rule> rules) {
    return with(rule, limit, rules).cost();
  }

  private static boolean charges(Rule rule, String limit) {
    return rule.limits().stream().anyMatch(charged -> charged.name().equals(limit));
  }

  /**
   * For each rule and each of its limits, the dearest that it may be part of; none stands twice.
   */
  static Stream<Joint> of(List<Rule> rules) {
    return rules.stream()
        .flatMap(rule -> rule.limits().stream().map(limit -> with(rule, limit, rules)))
        .distinct();
  }

  private static Joint with(Rule rule, NamedLimit limit, List<Rule> rules) {
    List<Rule> others =
        rules.stream()
            .filter(
                other -> !other.equals(rule) && other.limits().contains(limit) && meet(rule, other))
            .toList();
    List<Rule> chosen = dearest(List.of(rule), others);
    return new Joint(limit, rules.stream().filter(chosen::contains).toList());
  }

  /** These and the dearest of the others that meet one another; all of them meet these. */
  private static List<Rule> dearest(List<Rule> chosen, List<Rule> others) {
    List<Rule> best = chosen;
    for (int i = 0; i < others.size(); i++) {
      if (costOf(chosen) + costOf(others.subList(i, others.size())) <= costOf(best)) {
        break;
      }
      Rule next = others.get(i);
      List<Rule> rest = others.stream().skip(i + 1L).filter(other -> meet(next, other)).toList();
      List<Rule> found = dearest(and(chosen, next), rest);
      best = costOf(found) > costOf(best) ? found : best;
    }
    return best;
  }

  private static List<Rule> and(List<Rule> rules, Rule next) {
    List<Rule> longer = new ArrayList<>(rules);
    longer.add(next);
    return longer;
  }

  private static long costOf(List<Rule> rules) {
    return rules.stream().mapToLong(rule -> rule.cost().most()).sum();
  }

  private static boolean meet(Rule one, Rule other) {
    if (!isAskedTogether(one, other)
        || !one.subject().toString().equals(other.subject().toString())) {
      return false;
    }
    if (one.match().isEmpty() || other.match().isEmpty()) {
      return one.match().isPresent() || other.match().isPresent();
    }
    return meet(one.match().get(), other.match().get());
  }

  /** Others may both be granted where their sum would not. */
  private static boolean isAskedTogether(Rule one, Rule other) {
    return one.rejects() == other.rejects() && !one.isShadow() && !other.isShadow();
  }

  private static boolean meet(RequestMatcher one, RequestMatcher other) {
    return one.match().stream()
        .anyMatch(
            mine ->
                other.match().stream()
                    .anyMatch(
                        theirs ->
                            mine.meets(theirs)
                                && !isExcepted(mine, other)
                                && !isExcepted(theirs, one)));
  }

  private static boolean isExcepted(RequestPattern pattern, RequestMatcher matcher) {
    return matcher.except().stream().anyMatch(hole -> hole.covers(pattern));
  }
}
