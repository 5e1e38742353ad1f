package dev.weir.http.internal.decide;

import dev.weir.http.Rule;
import java.util.List;
import java.util.Optional;

/**
 * What rules that are decided together ask of the store for one request, or what they decide
 * without it.
 *
 * @param charged what the store must decide about, together; each has at least one charge
 * @param exempt the rules that do not limit the client, while the others do
 * @param decision what the rules have decided; then nothing is charged
 * @param patience of a request that waits when it is denied; empty when no rule delays
 */
public record Resolution(
    List<RuleCharges> charged,
    List<Rule> exempt,
    Optional<JointDecision> decision,
    Optional<Patience> patience) {

  /** Returns a resolution without the store. */
  public static Resolution decided(JointDecision decision) {
    return new Resolution(List.of(), List.of(), Optional.of(decision), Optional.empty());
  }
}
