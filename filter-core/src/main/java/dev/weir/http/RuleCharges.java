package dev.weir.http;

import dev.weir.Charge;
import dev.weir.Counter;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/**
 * What one rule charges a request.
 *
 * @param charges one for each of its limits and each subject of the request; none where it names
 *     too many subjects
 */
record RuleCharges(Rule rule, List<Charge> charges) {

  /** The rules, in the same order. */
  static List<Rule> rules(List<RuleCharges> charged) {
    List<Rule> rules = new ArrayList<>(charged.size());
    for (RuleCharges one : charged) {
      rules.add(one.rule);
    }
    return Collections.unmodifiableList(rules);
  }

  /** What all of them charge together. */
  static List<Charge> charges(List<RuleCharges> charged) {
    if (charged.size() == 1) {
      return charged.get(0).charges;
    }
    List<Charge> charges = new ArrayList<>(2 * charged.size());
    for (RuleCharges one : charged) {
      charges.addAll(one.charges);
    }
    return charges;
  }

  /** How many permits it takes of this counter; 0 where it names none of that limit. */
  long permitsOf(Counter counter) {
    long permits = 0;
    for (Charge charge : charges) {
      if (charge.counter().isSameAs(counter)) {
        permits += charge.permits();
      }
    }
    return permits;
  }

  /** What of this counter the request has cost by this rule, now that its response has ended. */
  long spentOf(Counter counter, Ended response) {
    long charged = permitsOf(counter);
    if (charged == 0 || !isCounted(response)) {
      return 0;
    }
    return rule.cost() instanceof Cost.OfResponse bytes ? bytes.spent(response) : charged;
  }

  /** Whether the rule charges for this response; for one that nobody knows it does. */
  private boolean isCounted(Ended response) {
    return response.status().isEmpty()
        || rule.handling().counted().contains(response.status().getAsInt());
  }
}
