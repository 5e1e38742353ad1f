package dev.weir.http;

import dev.weir.http.OnDenial.Ban;
import dev.weir.http.Rule.NamedLimit;
import dev.weir.http.internal.decide.JointDecision;
import dev.weir.http.internal.decide.Patience;
import dev.weir.http.internal.decide.Resolution;
import dev.weir.http.internal.decide.RuleCharges;
import dev.weir.http.internal.decide.RuleEvents;
import dev.weir.http.internal.decide.SubjectLimits;
import dev.weir.http.internal.match.MatchedRule;
import dev.weir.limit.Limit;
import dev.weir.store.AcquireRequest.Charge;
import dev.weir.store.Counter;
import dev.weir.store.Subject;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * Resolves what rules charge for a request: which clients they deny or exempt, and for all others
 * the limits, subjects and costs. Thread-safe.
 */
final class ChargeResolver {

  private final RuleEvents events;
  private final SubjectLimits subjectLimits;
  private final Map<String, LimitFunction> functions;

  /**
   * @param functions by the names of the limits whose numbers they return
   */
  ChargeResolver(
      RuleEvents events, SubjectLimits subjectLimits, Map<String, LimitFunction> functions) {
    this.events = events;
    this.subjectLimits = subjectLimits;
    this.functions = functions;
  }

  /**
   * Resolves these rules, at least one. Nothing is charged if one of them denies the client, or if
   * the request names too many subjects for one of them. Never throws: no input of a client and no
   * user code may cause an error page.
   */
  Resolution resolve(List<MatchedRule> applied, RequestContext context) {
    List<Rule> exempt = List.of();
    try {
      for (int i = 0; i < applied.size(); i++) {
        Rule rule = applied.get(i).rule();
        if (rule.denies(context)) {
          return denied(rule);
        }
      }
      List<RuleCharges> charged = new ArrayList<>(applied.size());
      for (int i = 0; i < applied.size(); i++) {
        MatchedRule one = applied.get(i);
        Rule rule = one.rule();
        List<NamedLimit> limits = rule.limitsOf(context, events);
        if (limits.isEmpty()) {
          exempt = exempt.isEmpty() ? new ArrayList<>() : exempt;
          exempt.add(rule);
          continue;
        }
        RuleCharges charges = charges(one, limits, context);
        if (charges.charges().isEmpty()) {
          return denied(rule);
        }
        charged.add(charges);
      }
      return charged.isEmpty()
          ? Resolution.decided(JointDecision.byRules(exempt, true))
          : new Resolution(charged, exempt, Optional.empty(), patience(charged, context));
    } catch (RuntimeException e) {
      events.failed("decision failed", e);
      List<Rule> others = new ArrayList<>(applied.stream().map(MatchedRule::rule).toList());
      others.removeAll(exempt);
      return Resolution.decided(JointDecision.undecided(others));
    }
  }

  /** Returns a denial without a call to the store. Waiting does not change it. */
  private static Resolution denied(Rule by) {
    return Resolution.decided(JointDecision.byRules(List.of(by), false));
  }

  /**
   * A client that chooses its subject could choose another each time, so its address counts too.
   */
  private static Optional<Patience> patience(List<RuleCharges> charged, RequestContext context) {
    Optional<Patience> patience = Optional.empty();
    boolean isChosenByClient = false;
    for (RuleCharges one : charged) {
      if (one.rule().onDenial() instanceof OnDenial.Delay) {
        patience = patience.isPresent() ? patience : Patience.of(charged);
        isChosenByClient |= one.rule().subject().isChosenByClients();
      }
    }
    return isChosenByClient ? patience.map(it -> it.ofClientAt(context.ip())) : patience;
  }

  /**
   * Returns a charge of every limit for every subject. There are none if the request names too many
   * subjects. A rule that bans also requires that no subject is banned, whatever else the request
   * names: a further key never opens what a ban has closed.
   */
  private RuleCharges charges(MatchedRule one, List<NamedLimit> limits, RequestContext context) {
    Rule rule = one.rule();
    List<Subject> subjects = rule.subject().resolve(context.through(one), events);
    long permits = rule.cost().permits(context.request());
    Set<Subject> bannable = Set.of();
    if (subjects.size() == 1 && limits.size() == 1 && !rule.bans) {
      Charge only = charge(limits.get(0), subjects.get(0), permits, context);
      return new RuleCharges(rule, List.of(only), bannable);
    }
    List<Charge> charges = new ArrayList<>(subjects.size() * limits.size());
    for (Subject subject : subjects) {
      for (NamedLimit limit : limits) {
        charges.add(charge(limit, subject, permits, context));
      }
    }
    if (rule.bans) {
      Ban ban = rule.onDenial().ban().orElseThrow();
      subjects.forEach(subject -> charges.add(new Charge(ban.counter(rule.name(), subject), 0)));
      bannable =
          subjects.stream()
              .filter(subject -> isBannable(subject, rule, context))
              .collect(Collectors.toUnmodifiableSet());
      context.hasBans = true;
    }
    return new RuleCharges(rule, List.copyOf(charges), bannable);
  }

  private Charge charge(NamedLimit limit, Subject subject, long permits, RequestContext context) {
    Limit numbers = functions.isEmpty() ? limit.limit() : numbers(limit, subject, context);
    return new Charge(new Counter(limit.name(), numbers, subject), permits);
  }

  /**
   * Returns whether denials of this request count for a ban of this subject. They do not if many
   * clients have it, or if the client may have made it up: a key that no key file has, or the
   * address of a proxy.
   */
  private static boolean isBannable(Subject subject, Rule rule, RequestContext context) {
    boolean isByAddress =
        subject.parts().stream()
            .anyMatch(part -> part.kind().equals("ip") || part.kind().startsWith("ip:"));
    return isByAddress
        ? context.isAddressOfClient()
        : rule.subject().isVerified() || rule.clients().knowsKey(rule.subject(), context);
  }

  private Limit numbers(NamedLimit limit, Subject subject, RequestContext context) {
    return Optional.ofNullable(functions.get(limit.name()))
        .map(
            function ->
                context.limit(
                    limit.name(),
                    subject,
                    () -> subjectLimits.limitOf(limit, function, subject, () -> address(context))))
        .orElse(limit.limit());
  }

  private String address(RequestContext context) {
    try {
      return context.ip();
    } catch (RuntimeException e) {
      events.failed("the client's address is not known", e);
      return "";
    }
  }
}
