package dev.weir.http;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;

/**
 * The rules that apply to a request, grouped by what they do with its client. Nothing is charged if
 * one of them denies the client.
 *
 * @param refusing the first rule that denies the client; the other lists are empty then
 * @param exempt the rules that do not limit the client
 * @param limiting the other rules
 */
record Eligibility(Optional<Rule> refusing, List<Rule> exempt, List<Limiting> limiting) {

  /** A rule that limits the client, and the limits that it applies. */
  record Limiting(MatchedRule applied, List<NamedLimit> limits) {

    Rule rule() {
      return applied.rule();
    }
  }

  static Eligibility by(List<MatchedRule> rules, RequestContext context, RuleEvents events) {
    for (MatchedRule applied : rules) {
      if (applied.rule().clients().denies(context)) {
        return new Eligibility(Optional.of(applied.rule()), List.of(), List.of());
      }
    }
    List<Rule> exempt = List.of();
    List<Limiting> limiting = new ArrayList<>(rules.size());
    for (MatchedRule applied : rules) {
      Rule rule = applied.rule();
      List<NamedLimit> limits = rule.clients().limits(rule, context, events);
      if (limits.isEmpty()) {
        exempt = exempt.isEmpty() ? new ArrayList<>() : exempt;
        exempt.add(rule);
      } else {
        limiting.add(new Limiting(applied, limits));
      }
    }
    return new Eligibility(Optional.empty(), exempt, limiting);
  }

  /** Returns the rules that limit the client. */
  List<Rule> limitingRules() {
    List<Rule> rules = new ArrayList<>(limiting.size());
    for (Limiting one : limiting) {
      rules.add(one.rule());
    }
    return Collections.unmodifiableList(rules);
  }
}
