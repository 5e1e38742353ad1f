package dev.weir.http.internal.decide;

import dev.weir.http.Cost;
import dev.weir.http.Rule;
import dev.weir.http.internal.decide.Settlement.Ended;
import dev.weir.store.AcquireRequest.Charge;
import dev.weir.store.Counter;
import dev.weir.store.Subject;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Set;

/**
 * The charges of one rule for a request. A rule that bans also has a charge of no permits for each
 * subject: it requires that the counter of the subject's denials is not blocked.
 *
 * @param charges one for each of its limits and each subject of the request; none where it names
 *     too many subjects
 * @param bannable the subjects whose denials count for a ban
 */
public record RuleCharges(Rule rule, List<Charge> charges, Set<Subject> bannable) {

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

  /** Returns whether any of these rules bans subjects of the request. */
  static boolean haveBans(List<RuleCharges> charged) {
    for (int i = 0; i < charged.size(); i++) {
      if (charged.get(i).hasBans()) {
        return true;
      }
    }
    return false;
  }

  /** Returns whether the rule bans subjects of the request. The charge of a ban is the last. */
  boolean hasBans() {
    return !charges.isEmpty() && charges.get(charges.size() - 1).permits() == 0;
  }

  /** Returns whether this is the counter of the denials of one of its subjects. */
  boolean isBan(Counter counter) {
    return hasBans()
        && charges.stream().anyMatch(it -> it.permits() == 0 && it.counter().isSameAs(counter));
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
