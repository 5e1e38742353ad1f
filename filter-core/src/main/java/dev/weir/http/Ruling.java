package dev.weir.http;

import dev.weir.Counter;
import dev.weir.Decision;
import dev.weir.Verdict;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * All that was decided about a request at one time.
 *
 * @param rejecting for the rules that reject; empty when there are none
 * @param degrading for the rules that degrade; empty when there are none, or it was rejected
 * @param shadows for each shadow by itself
 */
record Ruling(Optional<Answered> rejecting, Optional<Answered> degrading, List<Answered> shadows) {

  /** Whether the request may pass, in whatever shape. */
  boolean allowed() {
    return rejecting.map(Answered::allowed).orElse(true);
  }

  List<Answered> all() {
    List<Answered> all = new ArrayList<>(shadows.size() + 2);
    inEarnest().forEach(all::add);
    all.addAll(shadows);
    return all;
  }

  /** How the counters stand that a client is told of. */
  List<Verdict> verdicts() {
    return inEarnest()
        .map(Answered::decision)
        .flatMap(
            decision ->
                decision instanceof Decision.Counted counted
                    ? counted.verdicts().stream()
                    : Stream.empty())
        .toList();
  }

  /** The rule that degrades the request: the first of those whose limit binds. */
  Optional<Rule> degradedBy() {
    return degrading.filter(answered -> !answered.allowed()).map(Ruling::denying);
  }

  private Stream<Answered> inEarnest() {
    return Stream.concat(rejecting.stream(), degrading.stream());
  }

  private static Rule denying(Answered answered) {
    Optional<Counter> binding =
        answered.decision() instanceof Decision.Counted counted
            ? Optional.of(counted.binding().counter())
            : Optional.empty();
    return answered.charged().stream()
        .filter(charged -> binding.filter(it -> charged.permitsOf(it) > 0).isPresent())
        .map(RuleCharges::rule)
        .findFirst()
        .orElseGet(() -> answered.rules().get(0));
  }
}
