package dev.weir.http.internal.match;

import dev.weir.http.OnDenial;
import dev.weir.http.Rule;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;

/**
 * A rule that applies to a request, and the reason.
 *
 * @param pattern the one that matched; empty when the rule was bound in another way
 * @param patterns all of the rule
 */
public record MatchedRule(
    Rule rule, Optional<RequestPattern> pattern, List<RequestPattern> patterns) {

  /** Returns the rules that apply because they are bound to the target, each object once. */
  public static List<MatchedRule> bound(List<Rule> rules) {
    List<MatchedRule> bound = new ArrayList<>(rules.size());
    for (Rule rule : rules) {
      if (!isOneOf(bound, rule)) {
        bound.add(new MatchedRule(rule, Optional.empty(), List.of()));
      }
    }
    return Collections.unmodifiableList(bound);
  }

  /**
   * Returns whether this rule is one of them, by identity. Two Weirs may have equal rules, and both
   * rules must be applied.
   */
  @SuppressWarnings("ReferenceEquality") // equal rules of two Weirs are two rules
  public static boolean isOneOf(List<MatchedRule> all, Rule rule) {
    for (MatchedRule known : all) {
      if (known.rule == rule) {
        return true;
      }
    }
    return false;
  }

  /** Returns the rules that may need the authenticated user. Nearly always there are none. */
  public static List<MatchedRule> needingUser(List<MatchedRule> all) {
    List<MatchedRule> needing = List.of();
    for (MatchedRule applied : all) {
      if (applied.rule.needsUser()) {
        needing = needing.isEmpty() ? new ArrayList<>() : needing;
        needing.add(applied);
      }
    }
    return needing;
  }

  /** Returns the shadows that decide together, as rules of this kind would without a trial. */
  public static List<MatchedRule> onTrial(Rule.Kind kind, List<MatchedRule> all) {
    OnDenial trial = new OnDenial.Shadow(Optional.of(kind));
    return all.stream().filter(applied -> applied.rule.onDenial().equals(trial)).toList();
  }

  /** Returns the shadows that decide alone. */
  public static List<MatchedRule> alone(List<MatchedRule> all) {
    return all.stream().filter(applied -> applied.rule.onDenial().equals(OnDenial.SHADOW)).toList();
  }

  /**
   * Returns the rules of one kind. Nearly always these are all or none, and then nothing is copied.
   */
  public static List<MatchedRule> those(Rule.Kind kind, List<MatchedRule> all) {
    int matching = 0;
    for (int i = 0; i < all.size(); i++) {
      matching += all.get(i).rule.kind() == kind ? 1 : 0;
    }
    if (matching == 0 || matching == all.size()) {
      return matching == 0 ? List.of() : all;
    }
    return all.stream().filter(applied -> applied.rule.kind() == kind).toList();
  }
}
