package dev.weir.http.internal.decide;

import dev.weir.http.Cost;
import dev.weir.http.Rule;
import dev.weir.http.internal.decide.Settlement.Ended;
import dev.weir.store.AcquireRequest.Charge;
import dev.weir.store.Counter;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/**
 * The charges of one rule for a request.
 *
 * @param charges one for each of its limits and each subject of the request; none where it names
 *     too many subjects
 */
public record RuleCharges(Rule rule, List<Charge> charges) {

  /** Returns the rules, in the same order. */
  static List<Rule> rules(List<RuleCharges> charged) {
    if (charged.size() == 1) {
      return List.of(charged.get(0).rule);
    }
    List<Rule> rules = new ArrayList<>(charged.size());
    charged.forEach(one -> rules.add(one.rule));
    return Collections.unmodifiableList(rules);
  }

  /** Returns the charges of all of them together. */
  static List<Charge> charges(List<RuleCharges> charged) {
    if (charged.size() == 1) {
      return charged.get(0).charges;
    }
    List<Charge> charges = new ArrayList<>(2 * charged.size());
    charged.forEach(one -> charges.addAll(one.charges));
    return charges;
  }

  /** Returns how many permits it takes of this counter, or 0 if it does not charge that counter. */
  long permitsOf(Counter counter) {
    long permits = 0;
    for (Charge charge : charges) {
      if (charge.counter().isSameAs(counter)) {
        permits += charge.permits();
      }
    }
    return permits;
  }

  /**
   * Returns what the request has cost of this counter by this rule. The response has ended before.
   */
  long spentOf(Counter counter, Ended response) {
    long charged = permitsOf(counter);
    boolean isCounted = // also where the response is unknown
        response.response().isEmpty() || rule.counted().contains(response.response().get());
    if (charged == 0 || !isCounted) {
      return 0;
    }
    return rule.cost() instanceof Cost.OfResponse bytes
        ? bytes.spent(response.status(), response.bodyBytes())
        : charged;
  }
}
