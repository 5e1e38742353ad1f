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
  Decision decide(List<Applied> rules, Sighting sighting) {
    OnOutage onOutage = strictest(rules);
    try {
      Deadline due = Deadline.after(deadline);
      return store.decide(new Ask(charges(rules, sighting), onOutage, due));
    } catch (StoreUnavailableException e) {
      return Decision.uncounted(onOutage, e.nextProbe());
    } catch (RuntimeException e) {
      reports.failed("decision failed", e);
      return Decision.uncounted(onOutage, SOON);
    }
  }

  private static OnOutage strictest(List<Applied> rules) {
    OnOutage strictest = OnOutage.ALLOW;
    for (Applied applied : rules) {
      strictest = strictest.strictest(applied.rule().onOutage());
    }
    return strictest;
  }

  private List<Charge> charges(List<Applied> rules, Sighting sighting) {
    List<Charge> charges = new ArrayList<>(rules.size());
    for (Applied applied : rules) {
      Rule rule = applied.rule();
      Subject subject = rule.subject().resolve(sighting.through(applied.template()), reports);
      long permits = rule.cost().permits(sighting.request());
      for (NamedLimit limit : rule.limits()) {
        charges.add(new Charge(new Counter(limit.name(), limit.limit(), subject), permits));
      }
    }
    return charges;
  }
}
