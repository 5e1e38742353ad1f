package dev.weir.http.internal.decide;

import dev.weir.http.Rule;
import dev.weir.store.Decision;
import dev.weir.store.Decision.Verdict;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * All decisions about a request at one time.
 *
 * @param rejecting for the rules that reject; empty when there are none
 * @param degrading for the rules that degrade; empty when there are none, or it was rejected
 * @param shadows one for each shadow
 */
public record RuleDecisions(
    Optional<RuleDecision> rejecting,
    Optional<RuleDecision> degrading,
    List<RuleDecision> shadows) {

  /** Returns whether the request may pass, degraded or not. */
  public boolean allowed() {
    return rejecting.isEmpty() || rejecting.get().allowed();
  }

  /** Returns all of them, in the order of their effect. */
  public List<RuleDecision> all() {
    if (degrading.isEmpty() && shadows.isEmpty()) {
      return rejecting.isPresent() ? List.of(rejecting.get()) : List.of();
    }
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

  /** Returns the states of the counters that are reported to a client. */
  public List<Verdict> verdicts() {
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
    return answered
        .flatMap(RuleDecision::counted)
        .map(Decision.Counted::verdicts)
        .orElse(List.of());
  }

  /** Returns the rule that degrades the request: the first rule with the limit that binds. */
  public Optional<Rule> degradedBy() {
    return degrading.isEmpty() || degrading.get().allowed()
        ? Optional.empty()
        : Optional.of(degrading.get().denying());
  }
}
