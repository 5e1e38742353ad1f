package dev.weir.http;

import dev.weir.Charge;
import dev.weir.Counter;
import dev.weir.Decision;
import dev.weir.Subject;
import dev.weir.http.internal.decide.Patience;
import dev.weir.http.internal.decide.Resolution;
import dev.weir.http.internal.decide.RuleCharges;
import dev.weir.http.internal.decide.RuleDecision;
import dev.weir.http.internal.decide.RuleEvents;
import dev.weir.http.internal.match.MatchedRule;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Resolves what rules charge for a request: which clients they deny or exempt, and for all others
 * the limits, subjects and costs. Thread-safe.
 */
final class ChargeResolver {

  private static final Decision EXEMPTION = Decision.byRule(true);

  private final RuleEvents events;

  ChargeResolver(RuleEvents events) {
    this.events = events;
  }

  /**
   * Resolves these rules together. Nothing is charged if one of them denies the client, or if the
   * request names too many subjects for one of them. Never throws: no input of a client and no user
   * code may cause an error page.
   *
   * @param applied at least one
   */
  Resolution resolve(List<MatchedRule> applied, RequestContext context) {
    List<Limited> limited = List.of();
    try {
      for (MatchedRule one : applied) {
        if (one.rule().clients().denies(context)) {
          return denied(one.rule());
        }
      }
      limited = limited(applied, context);
      if (limited.size() < applied.size()) {
        List<Rule> exempt = exempt(applied, limited);
        if (limited.isEmpty()) {
          return new Resolution.Decided(RuleDecision.uncounted(exempt, EXEMPTION));
        }
        events.decided(exempt, EXEMPTION);
      }
      return charged(limited, context);
    } catch (RuntimeException e) {
      events.failed("decision failed", e);
      return new Resolution.Decided(
          RuleDecision.undecided(
              limited.isEmpty()
                  ? MatchedRule.rules(applied)
                  : limited.stream().map(Limited::rule).toList()));
    }
  }

  /** A rule that limits the client, and the limits that it applies. */
  private record Limited(MatchedRule applied, List<NamedLimit> limits) {

    private Rule rule() {
      return applied.rule();
    }
  }

  /** Returns a denial without a call to the store. Waiting does not change it. */
  private static Resolution denied(Rule by) {
    return new Resolution.Decided(RuleDecision.uncounted(List.of(by), Decision.byRule(false)));
  }

  private List<Limited> limited(List<MatchedRule> applied, RequestContext context) {
    List<Limited> limited = new ArrayList<>(applied.size());
    for (MatchedRule one : applied) {
      Rule rule = one.rule();
      List<NamedLimit> limits = rule.clients().limits(rule, context, events);
      if (!limits.isEmpty()) {
        limited.add(new Limited(one, limits));
      }
    }
    return limited;
  }

  /** Returns the rules that do not limit the client. */
  private static List<Rule> exempt(List<MatchedRule> applied, List<Limited> limited) {
    List<Rule> exempt = new ArrayList<>(MatchedRule.rules(applied));
    exempt.removeAll(limited.stream().map(Limited::rule).toList());
    return exempt;
  }

  private Resolution charged(List<Limited> limited, RequestContext context) {
    List<RuleCharges> charged = new ArrayList<>(limited.size());
    for (Limited one : limited) {
      Rule rule = one.rule();
      RequestContext seen = context.through(one.applied().template());
      List<Subject> subjects = rule.subject().resolve(seen, events);
      if (subjects.isEmpty()) {
        return denied(rule);
      }
      long permits = rule.cost().permits(context.request());
      charged.add(new RuleCharges(rule, charges(one.limits(), subjects, permits)));
    }
    return new Resolution.Charged(charged, patience(charged, context));
  }

  /**
   * A client that chooses its subject could choose another each time, so its address counts too.
   */
  private static Optional<Patience> patience(List<RuleCharges> charged, RequestContext context) {
    Optional<Patience> patience = Patience.of(charged);
    return patience.isPresent() && isChosenByClient(charged)
        ? Optional.of(patience.get().ofClientAt(context.ip()))
        : patience;
  }

  private static boolean isChosenByClient(List<RuleCharges> charged) {
    return charged.stream()
        .map(RuleCharges::rule)
        .anyMatch(
            rule ->
                rule.handling().onDenial() instanceof OnDenial.Delay
                    && rule.subject().isChosenByClients());
  }

  /** Returns a charge of every limit for every subject. */
  private static List<Charge> charges(
      List<NamedLimit> limits, List<Subject> subjects, long permits) {
    Charge[] charges = new Charge[subjects.size() * limits.size()];
    for (int i = 0; i < charges.length; i++) {
      Subject subject = subjects.get(i / limits.size());
      NamedLimit limit = limits.get(i % limits.size());
      charges[i] = new Charge(new Counter(limit.name(), limit.limit(), subject), permits);
    }
    return List.of(charges);
  }
}
