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
import java.util.Optional;

/**
 * One decision for several rules: what each charges, to whom, and what the strictest of their
 * policies answers when the store cannot.
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
  Answered decide(List<Applied> applied, Sighting sighting) {
    List<Rule> rules = applied.stream().map(Applied::rule).toList();
    OnOutage onOutage = strictest(rules);
    try {
      Deadline due = Deadline.after(deadline);
      List<RuleCharges> charged = charges(applied, sighting);
      List<Charge> charges = charged.stream().flatMap(one -> one.charges().stream()).toList();
      return new Answered(rules, charged, store.decide(new Ask(charges, onOutage, due)));
    } catch (StoreUnavailableException e) {
      return uncounted(rules, Decision.uncounted(onOutage, e.nextProbe()));
    } catch (RuntimeException e) {
      reports.failed("decision failed", e);
      return uncounted(rules, Decision.uncounted(onOutage, SOON));
    }
  }

  /** What is left to do for this decision when the response has ended. */
  Optional<Afterwards> afterwards(Answered answered) {
    return Settlement.isNeededFor(answered)
        ? Optional.of(new Settlement(store, deadline, reports, answered))
        : Optional.empty();
  }

  private static Answered uncounted(List<Rule> rules, Decision decision) {
    return new Answered(rules, List.of(), decision);
  }

  private static OnOutage strictest(List<Rule> rules) {
    OnOutage strictest = OnOutage.ALLOW;
    for (Rule rule : rules) {
      strictest = strictest.strictest(rule.onOutage());
    }
    return strictest;
  }

  private List<RuleCharges> charges(List<Applied> rules, Sighting sighting) {
    List<RuleCharges> charged = new ArrayList<>(rules.size());
    for (Applied applied : rules) {
      Rule rule = applied.rule();
      Subject subject = rule.subject().resolve(sighting.through(applied.template()), reports);
      charged.add(new RuleCharges(rule, charges(rule, subject)));
    }
    return charged;
  }

  private static List<Charge> charges(Rule rule, Subject subject) {
    List<Charge> charges = new ArrayList<>(rule.limits().size());
    for (NamedLimit limit : rule.limits()) {
      charges.add(new Charge(new Counter(limit.name(), limit.limit(), subject), rule.cost()));
    }
    return charges;
  }
}
