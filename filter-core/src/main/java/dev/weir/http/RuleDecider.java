package dev.weir.http;

import dev.weir.Ask;
import dev.weir.Charge;
import dev.weir.Counter;
import dev.weir.Deadline;
import dev.weir.Decision;
import dev.weir.Holds;
import dev.weir.LimitStore;
import dev.weir.OnOutage;
import dev.weir.Subject;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Predicate;

/**
 * Decides about a request: whom each rule refuses or exempts, what the others charge, to whom, and
 * what the strictest of their policies answers when the store cannot.
 *
 * <p>Rules that reject are one decision, all or none. Those that degrade are another, since a
 * request that they deny is served and charged by the former nevertheless; among themselves they
 * are all or none too, for what one of them degrades is not what the others count. They are not
 * asked about what is rejected. Each shadow is a decision of its own, which nothing depends on.
 */
final class RuleDecider {

  /** How long a client is told to wait where nothing is known. */
  private static final Duration SOON = Duration.ofSeconds(1);

  private final LimitStore store;
  private final Holds holds;
  private final Duration deadline;
  private final Reports reports;

  /**
   * @param store takes back what does not count
   * @param holds asks that store, and keeps what is held while requests run
   * @param deadline within which a decision is answered, with what subjects take to be resolved
   */
  RuleDecider(LimitStore store, Holds holds, Duration deadline, Reports reports) {
    this.store = Objects.requireNonNull(store, "store");
    this.holds = Objects.requireNonNull(holds, "holds");
    this.deadline = deadline;
    this.reports = reports;
  }

  Ruling decide(List<Applied> due, Sighting sighting) {
    Deadline until = Deadline.after(deadline);
    Optional<Answered> rejecting = together(those(Rule::rejects, due), sighting, until);
    boolean passes = rejecting.map(Answered::allowed).orElse(true);
    Optional<Answered> degrading =
        passes ? together(those(RuleDecider::degrades, due), sighting, until) : Optional.empty();
    List<Answered> shadows = new ArrayList<>();
    for (Applied shadow : those(Rule::isShadow, due)) {
      shadows.add(answer(List.of(shadow), sighting, until));
    }
    return new Ruling(rejecting, degrading, shadows);
  }

  private static boolean degrades(Rule rule) {
    return !rule.rejects() && !rule.isShadow();
  }

  private static List<Applied> those(Predicate<Rule> kind, List<Applied> due) {
    return due.stream().filter(applied -> kind.test(applied.rule())).toList();
  }

  private Optional<Answered> together(List<Applied> applied, Sighting sighting, Deadline until) {
    return applied.isEmpty() ? Optional.empty() : Optional.of(answer(applied, sighting, until));
  }

  /** Never throws: what a client sent or a user's code does is no reason for an error page. */
  private Answered answer(List<Applied> applied, Sighting sighting, Deadline until) {
    List<Rule> all = applied.stream().map(Applied::rule).toList();
    try {
      Treated treated = Treated.by(applied, sighting, reports);
      return treated.isDenied()
          ? Answered.uncounted(all, Decision.byRule(false))
          : answer(treated, sighting, until);
    } catch (RuntimeException e) {
      reports.failed("decision failed", e);
      return Answered.uncounted(all, Decision.uncounted(strictest(all), SOON));
    }
  }

  private Answered answer(Treated treated, Sighting sighting, Deadline until) {
    Decision exemption = Decision.byRule(true);
    if (treated.limiting().isEmpty()) {
      return Answered.uncounted(treated.exempt(), exemption);
    }
    if (!treated.exempt().isEmpty()) {
      reports.decided(treated.exempt(), exemption);
    }
    return counted(treated, sighting, until);
  }

  private Answered counted(Treated treated, Sighting sighting, Deadline until) {
    List<Rule> rules = treated.limitingRules();
    OnOutage onOutage = strictest(rules);
    try {
      List<RuleCharges> charged = charges(treated.limiting(), sighting);
      List<Charge> charges = charged.stream().flatMap(one -> one.charges().stream()).toList();
      return Answered.of(charged, holds.decide(new Ask(charges, onOutage, until)));
    } catch (RuntimeException e) {
      reports.failed("decision failed", e);
      return Answered.uncounted(rules, Decision.uncounted(onOutage, SOON));
    }
  }

  /** What is left to do for these decisions when the response has ended. */
  List<Afterwards> afterwards(Ruling ruling) {
    List<Afterwards> afterwards = new ArrayList<>(0);
    for (Answered answered : ruling.all()) {
      if (Settlement.isNeededFor(answered)) {
        afterwards.add(new Settlement(store, deadline, reports, answered));
      }
      answered.hold().ifPresent(hold -> afterwards.add(ended -> hold.close()));
    }
    return afterwards;
  }

  private static OnOutage strictest(List<Rule> rules) {
    OnOutage strictest = OnOutage.ALLOW;
    for (Rule rule : rules) {
      strictest = strictest.strictest(rule.onOutage());
    }
    return strictest;
  }

  private List<RuleCharges> charges(List<Treated.Limiting> rules, Sighting sighting) {
    List<RuleCharges> charged = new ArrayList<>(rules.size());
    for (Treated.Limiting one : rules) {
      Sighting seen = sighting.through(one.applied().template());
      Subject subject = one.rule().subject().resolve(seen, reports);
      long permits = one.rule().cost().permits(sighting.request());
      charged.add(new RuleCharges(one.rule(), charges(one.limits(), subject, permits)));
    }
    return charged;
  }

  private static List<Charge> charges(List<NamedLimit> limits, Subject subject, long permits) {
    List<Charge> charges = new ArrayList<>(limits.size());
    for (NamedLimit limit : limits) {
      charges.add(new Charge(new Counter(limit.name(), limit.limit(), subject), permits));
    }
    return charges;
  }
}
