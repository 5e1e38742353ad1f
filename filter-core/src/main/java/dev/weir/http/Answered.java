package dev.weir.http;

import dev.weir.Decision;
import dev.weir.Receipt;
import java.util.List;

/**
 * One decision for rules that were asked about together.
 *
 * @param charged what each of them charges; empty when that could not be told, and nothing was
 */
record Answered(List<Rule> rules, List<RuleCharges> charged, Decision decision) {

  boolean allowed() {
    return decision.allowed();
  }

  /** What was charged: nothing when the request was denied, or nobody could count. */
  List<Receipt.Grant> grants() {
    return decision instanceof Decision.Counted counted ? counted.receipt().grants() : List.of();
  }
}
