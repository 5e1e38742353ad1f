package dev.weir.http;

import dev.weir.Decision;
import dev.weir.Verdict;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * All that was decided about a request at one time.
 *
 * @param rejecting for the rules that reject; empty when there are none
 * @param degrading for the rules that degrade; empty when there are none, or it was rejected
 * @param shadows for each shadow by itself
 */
record RuleDecisions(
    Optional<RuleDecision> rejecting,
    Optional<RuleDecision> degrading,
    List<RuleDecision> shadows) {

  /** Whether the request may pass, in whatever shape. */
  boolean allowed() {
    return rejecting.isEmpty() || rejecting.get().allowed();
  }

  List<RuleDecision> all() {
    List<RuleDecision> all = new ArrayList<>(shadows.size() + 2);
    addIfPresent(rejecting, all);
    addIfPresent(degrading, all);
    all.addAll(shadows);
    return all;
  }

  private static void addIfPresent(Optional<RuleDecision> answered, List<RuleDecision> all) {
    if (answered.isPresent()) {
      all.add(answered.get());
    }
  }

  /** How the counters stand that a client is told of. */
  List<Verdict> verdicts() {
    List<Verdict> rejected = verdicts(rejecting);
    List<Verdict> degraded = verdicts(degrading);
    if (rejected.isEmpty() || degraded.isEmpty()) {
      return degraded.isEmpty() ? rejected : degraded;
    }
    List<Verdict> both = new ArrayList<>(rejected);
    both.addAll(degraded);
    return both;
  }

  private static List<Verdict> verdicts(Optional<RuleDecision> answered) {
    return answered.isPresent() && answered.get().decision() instanceof Decision.Counted counted
        ? counted.verdicts()
        : List.of();
  }

  /** The rule that degrades the request: the first of those whose limit binds. */
  Optional<Rule> degradedBy() {
    return degrading.isEmpty() || degrading.get().allowed()
        ? Optional.empty()
        : Optional.of(degrading.get().denying());
  }
}
