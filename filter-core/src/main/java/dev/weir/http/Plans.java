package dev.weir.http;

import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeSet;

/**
 * The limits of each plan. Counters belong to limits. So a client that changes its plan starts with
 * full counters for limits that its old plan did not have.
 *
 * @param tier determines a client's plan
 * @param limitsOf for each plan that the tier may return; an empty list means no limit
 */
public record Plans(Tier tier, Map<String, List<NamedLimit>> limitsOf) {

  /**
   * @throws IllegalArgumentException when a plan that the tier may return has no entry
   */
  public Plans {
    Objects.requireNonNull(tier, "tier");
    limitsOf = Map.copyOf(limitsOf);
    TreeSet<String> told = new TreeSet<>(tier.plans());
    told.add(tier.otherwise());
    for (String plan : told) {
      if (!limitsOf.containsKey(plan)) {
        throw Expect.failure(
            "limits",
            new TreeSet<>(limitsOf.keySet()),
            "limits for plan '" + Expect.printable(plan) + "' too, which the tier tells");
      }
    }
  }

  /**
   * Returns the limits of the client of this request. If its plan cannot be determined, the failure
   * is reported.
   */
  List<NamedLimit> limits(RequestContext context, RuleEvents events) {
    List<NamedLimit> limits = limitsOf.get(plan(context, events));
    return limits == null ? otherwise() : limits;
  }

  private String plan(RequestContext context, RuleEvents events) {
    try {
      return tier.plan(context).orElse(tier.otherwise());
    } catch (RuntimeException e) {
      events.failed("a plan counts as missing", e);
      return tier.otherwise();
    }
  }

  private List<NamedLimit> otherwise() {
    return Objects.requireNonNull(limitsOf.get(tier.otherwise()), "checked when this was made");
  }
}
