package dev.weir.http;

import dev.weir.ConcurrencyPermits;
import dev.weir.Counter;
import dev.weir.Decision;
import dev.weir.Receipt;
import java.util.List;
import java.util.Optional;

/**
 * One decision for rules that were decided together.
 *
 * @param charged what each of them charges; empty when that is unknown, and nothing was charged
 * @param hold the permits that are kept until the response has ended, if there are any
 * @param hasWaited whether the request has waited for the decision
 */
record RuleDecision(
    List<Rule> rules,
    List<RuleCharges> charged,
    Decision decision,
    Optional<ConcurrencyPermits> hold,
    boolean hasWaited) {

  /** Returns a decision that was made without counting. */
  static RuleDecision uncounted(List<Rule> rules, Decision decision) {
    return new RuleDecision(rules, List.of(), decision, Optional.empty(), false);
  }

  /** Returns a decision that was counted, or would have been. */
  static RuleDecision of(List<RuleCharges> charged, ConcurrencyPermits hold, boolean hasWaited) {
    List<Rule> rules = RuleCharges.rules(charged);
    Optional<ConcurrencyPermits> kept = hold.isKept() ? Optional.of(hold) : Optional.empty();
    return new RuleDecision(rules, charged, hold.decision(), kept, hasWaited);
  }

  boolean allowed() {
    return decision.allowed();
  }

  /**
   * Returns the one rule to which a denial is attributed. It is the first rule with the limit that
   * binds. If nothing was counted, it is the first rule with the strictest outage policy.
   */
  Rule denying() {
    if (decision instanceof Decision.Counted counted) {
      Counter binding = counted.binding().counter();
      for (RuleCharges one : charged) {
        if (one.permitsOf(binding) > 0) {
          return one.rule();
        }
      }
    }
    Rule denying = rules.get(0);
    for (Rule rule : rules) {
      boolean isStricter = denying.onOutage().strictest(rule.onOutage()) != denying.onOutage();
      denying = isStricter ? rule : denying;
    }
    return denying;
  }

  /** Returns the rules that have delayed the request, if it was then allowed. */
  List<Rule> delaying() {
    return hasWaited && allowed()
        ? rules.stream()
            .filter(rule -> rule.handling().onDenial() instanceof OnDenial.Delay)
            .toList()
        : List.of();
  }

  /** Returns what was charged: nothing if the request was denied, or if it could not be counted. */
  Receipt receipt() {
    return decision instanceof Decision.Counted counted
        ? counted.receipt()
        : Receipt.nothing(decision.source());
  }
}
