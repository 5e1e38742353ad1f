package dev.weir.http.internal.check;

import dev.weir.http.OnDenial.Ban;
import dev.weir.http.RequestMatcher;
import dev.weir.http.Rule;
import dev.weir.http.RuleLimiter;
import dev.weir.http.internal.match.PatternParser;
import dev.weir.http.internal.match.RequestPattern;
import dev.weir.internal.Expect;
import dev.weir.limit.Limit;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** The checks that rules are compatible with each other. */
public final class RuleChecks {

  private RuleChecks() {}

  /**
   * Checks all rules of a limiter.
   *
   * @throws IllegalArgumentException as {@link RuleLimiter#of} does
   */
  public static void check(List<Rule> rules) {
    for (Rule rule : rules) {
      for (Rule other : rules) {
        Optional<String> shared = sharedLimit(rule, other);
        if (rule.isShadow() && shared.isPresent()) {
          throw Expect.failure(
              "limits",
              "'" + shared.get() + "' of shadow '" + rule.name() + "'",
              "a limit of its own, for rule '" + other.name() + "' charges this one in earnest");
        }
      }
    }
    Set<String> names = new HashSet<>();
    Map<String, Limit> limits = new HashMap<>();
    Set<String> bans = new HashSet<>();
    rules.stream()
        .filter(rule -> rule.onDenial().ban().isPresent())
        .forEach(rule -> bans.add(Ban.counterName(rule.name())));
    for (Rule rule : rules) {
      if (!names.add(rule.name())) {
        throw Expect.failure("name", "'" + rule.name() + "'", "each rule under a name of its own");
      }
      for (Rule.NamedLimit named : rule.limits()) {
        if (bans.contains(named.name())) {
          throw Expect.failure(
              "limits", "'" + named.name() + "'", "another name, for a rule counts its denials so");
        }
        Limit known = limits.putIfAbsent(named.name(), named.limit());
        if (known != null && !known.equals(named.limit())) {
          throw Expect.failure(
              "limits",
              "'" + named.name() + "' as " + named.limit(),
              "'" + known + "', as in another rule");
        }
      }
    }
  }

  /**
   * Returns the name of a limit that both rules charge. Empty unless exactly one of them is a
   * shadow, which must not consume permits of other rules.
   */
  public static Optional<String> sharedLimit(Rule one, Rule other) {
    if (one.isShadow() == other.isShadow()) {
      return Optional.empty();
    }
    return one.limits().stream()
        .map(Rule.NamedLimit::name)
        .filter(name -> other.limits().stream().anyMatch(limit -> limit.name().equals(name)))
        .findFirst();
  }

  /** Returns whether one request can match both rules by their patterns, in one decision. */
  public static boolean areDecidedTogether(Rule one, Rule other) {
    return areDecidedAlike(one, other)
        && one.match().isPresent()
        && other.match().isPresent()
        && meet(one.match().get(), other.match().get());
  }

  /** Returns whether one decision is made about both rules, if one request matches them. */
  public static boolean areDecidedAlike(Rule one, Rule other) {
    return one.rejects() == other.rejects() && !one.isShadow() && !other.isShadow();
  }

  private static boolean meet(RequestMatcher one, RequestMatcher other) {
    return PatternParser.match(one).stream()
        .anyMatch(
            mine ->
                PatternParser.match(other).stream()
                    .anyMatch(
                        theirs ->
                            mine.meets(theirs)
                                && !isExcepted(mine, other)
                                && !isExcepted(theirs, one)));
  }

  private static boolean isExcepted(RequestPattern pattern, RequestMatcher matcher) {
    return PatternParser.except(matcher).stream().anyMatch(except -> except.covers(pattern));
  }
}
