package dev.weir.http;

import dev.weir.ConcurrencyPermits;
import dev.weir.Counter;
import dev.weir.Decision;
import dev.weir.Receipt;
import java.util.List;
import java.util.Optional;

/**
 * One decision for rules that were asked about together.
 *
 * @param charged what each of them charges; empty when that could not be told, and nothing was
 * @param hold what is held until the response has ended, if anything is
 * @param hasWaited whether the request has waited for it
 */
record RuleDecision(
    List<Rule> rules,
    List<RuleCharges> charged,
    Decision decision,
    Optional<ConcurrencyPermits> hold,
    boolean hasWaited) {

  /** One that was decided without counting. */
  static RuleDecision uncounted(List<Rule> rules, Decision decision) {
    return new RuleDecision(rules, List.of(), decision, Optional.empty(), false);
  }

  /** One that was counted, or would have been. */
  static RuleDecision of(List<RuleCharges> charged, ConcurrencyPermits hold, boolean hasWaited) {
    List<Rule> rules = RuleCharges.rules(charged);
    Optional<ConcurrencyPermits> kept = hold.isKept() ? Optional.of(hold) : Optional.empty();
    return new RuleDecision(rules, charged, hold.decision(), kept, hasWaited);
  }

  boolean allowed() {
    return decision.allowed();
  }

  /**
   * The one rule that a denial counts for: the first whose limit binds, or whose policy holds where
   * nothing was counted.
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

  /** Those that the request has waited for, and that have let it in then. */
  List<Rule> delaying() {
    return hasWaited && allowed()
        ? rules.stream()
            .filter(rule -> rule.handling().onDenial() instanceof OnDenial.Delay)
            .toList()
        : List.of();
  }

  /** What was charged: nothing when the request was denied, or nobody could count. */
  Receipt receipt() {
    return decision instanceof Decision.Counted counted
        ? counted.receipt()
        : Receipt.nothing(decision.source());
  }
}
