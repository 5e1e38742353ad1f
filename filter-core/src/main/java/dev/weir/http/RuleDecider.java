package dev.weir.http;

import dev.weir.Ask;
import dev.weir.Charge;
import dev.weir.Counter;
import dev.weir.Deadline;
import dev.weir.Decision;
import dev.weir.LimitStore;
import dev.weir.OnOutage;
import dev.weir.StoreUnavailableException;
import dev.weir.Subject;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;

/**
 * One decision for several rules: whom they refuse or exempt, what each of the others charges, to
 * whom, and what the strictest of their policies answers when the store cannot.
 */
final class RuleDecider {

  /** How long a client is told to wait where nothing is known. */
  private static final Duration SOON = Duration.ofSeconds(1);

  private final LimitStore store;
  private final Duration deadline;
  private final Reports reports;

  /**
   * @param deadline within which a decision is answered, with what subjects take to be resolved
   */
  RuleDecider(LimitStore store, Duration deadline, Reports reports) {
    this.store = Objects.requireNonNull(store, "store");
    this.deadline = deadline;
    this.reports = reports;
  }

  /** Never throws: what a client sent or a user's code does is no reason for an error page. */
  Decision decide(List<Applied> rules, Sighting sighting) {
    List<Rule> all = rules.stream().map(Applied::rule).toList();
    try {
      Deadline due = Deadline.after(deadline);
      Treated treated = Treated.by(rules, sighting, reports);
      return treated.isDenied()
          ? reported(all, Decision.byRule(false))
          : decide(treated, sighting, due);
    } catch (RuntimeException e) {
      reports.failed("decision failed", e);
      return reported(all, Decision.uncounted(strictest(all), SOON));
    }
  }

  private Decision decide(Treated treated, Sighting sighting, Deadline due) {
    Decision exemption = Decision.byRule(true);
    if (!treated.exempt().isEmpty()) {
      reports.decided(treated.exempt(), exemption);
    }
    return treated.limiting().isEmpty()
        ? exemption
        : reported(treated.limitingRules(), counted(treated, sighting, due));
  }

  private Decision counted(Treated treated, Sighting sighting, Deadline due) {
    OnOutage onOutage = strictest(treated.limitingRules());
    try {
      return store.decide(new Ask(charges(treated.limiting(), sighting), onOutage, due));
    } catch (StoreUnavailableException e) {
      return Decision.uncounted(onOutage, e.nextProbe());
    } catch (RuntimeException e) {
      reports.failed("decision failed", e);
      return Decision.uncounted(onOutage, SOON);
    }
  }

  private Decision reported(List<Rule> rules, Decision decision) {
    reports.decided(rules, decision);
    return decision;
  }

  private static OnOutage strictest(List<Rule> rules) {
    OnOutage strictest = OnOutage.ALLOW;
    for (Rule rule : rules) {
      strictest = strictest.strictest(rule.onOutage());
    }
    return strictest;
  }

  private List<Charge> charges(List<Treated.Limiting> rules, Sighting sighting) {
    List<Charge> charges = new ArrayList<>(rules.size());
    for (Treated.Limiting one : rules) {
      Rule rule = one.rule();
      Sighting seen = sighting.through(one.applied().template());
      Subject subject = rule.subject().resolve(seen, reports);
      long permits = rule.cost().permits(sighting.request());
      for (NamedLimit limit : one.limits()) {
        charges.add(new Charge(new Counter(limit.name(), limit.limit(), subject), permits));
      }
    }
    return charges;
  }
}
