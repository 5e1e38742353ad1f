package dev.weir.http.internal.decide;

import dev.weir.ConcurrencyPermits;
import dev.weir.Counter;
import dev.weir.Decision;
import dev.weir.OnOutage;
import dev.weir.Receipt;
import dev.weir.http.OnDenial;
import dev.weir.http.Rule;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * One decision for rules that were decided together.
 *
 * @param charged what each of them charges; empty when that is unknown, and nothing was charged
 * @param hold the permits that are kept until the response has ended, if there are any
 * @param hasWaited whether the request has waited for the decision
 */
public record RuleDecision(
    List<Rule> rules,
    List<RuleCharges> charged,
    Decision decision,
    Optional<ConcurrencyPermits> hold,
    boolean hasWaited) {

  /** The retry-after of a denial when nothing better is known. */
  public static final Duration SOON = Duration.ofSeconds(1);

  /** Returns a decision that was made without counting. */
  public static RuleDecision uncounted(List<Rule> rules, Decision decision) {
    return new RuleDecision(rules, List.of(), decision, Optional.empty(), false);
  }

  /** Returns the decision of the strictest outage policy, because nothing could be counted. */
  public static RuleDecision undecided(List<Rule> rules) {
    return uncounted(rules, Decision.uncounted(strictest(rules), SOON));
  }

  /** Returns the strictest of the outage policies of these rules. */
  static OnOutage strictest(List<Rule> rules) {
    OnOutage strictest = OnOutage.ALLOW;
    for (int i = 0; i < rules.size(); i++) {
      strictest = strictest.strictest(rules.get(i).onOutage());
    }
    return strictest;
  }

  /** Returns a decision that was counted, or would have been. */
  static RuleDecision of(
      List<Rule> rules, List<RuleCharges> charged, ConcurrencyPermits hold, boolean hasWaited) {
    Optional<ConcurrencyPermits> kept = hold.isKept() ? Optional.of(hold) : Optional.empty();
    return new RuleDecision(rules, charged, hold.decision(), kept, hasWaited);
  }

  /** Returns whether the request may pass. */
  public boolean allowed() {
    return decision.allowed();
  }

  /**
   * Returns the one rule to which a denial is attributed. It is the first rule with the limit that
   * binds. If nothing was counted, it is the first rule with the strictest outage policy.
   */
  public Rule denying() {
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

  /** Returns how many permits of this counter were requested. */
  public long permitsOf(Counter counter) {
    long permits = 0;
    for (RuleCharges one : charged) {
      permits += one.permitsOf(counter);
    }
    return permits;
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
