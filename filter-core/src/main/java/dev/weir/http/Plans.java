package dev.weir.http;

import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeSet;

/**
 * The limits of each plan. Counters belong to limits, so a client that changes its plan begins anew
 * with those that its old plan had not.
 *
 * @param tier tells a client's plan
 * @param limitsOf for each plan that the tier is known to tell; none are no limit
 */
public record Plans(Tier tier, Map<String, List<NamedLimit>> limitsOf) {

  /**
   * @throws IllegalArgumentException when there is nothing for a plan that the tier tells
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

  /** Those of the client of this request. Whoever cannot tell its plan is reported. */
  List<NamedLimit> limits(RequestContext sighting, RuleEvents reports) {
    List<NamedLimit> limits = limitsOf.get(plan(sighting, reports));
    return limits == null ? otherwise() : limits;
  }

  private String plan(RequestContext sighting, RuleEvents reports) {
    try {
      return tier.plan(sighting).orElse(tier.otherwise());
    } catch (RuntimeException e) {
      reports.failed("a plan counts as missing", e);
      return tier.otherwise();
    }
  }

  private List<NamedLimit> otherwise() {
    return Objects.requireNonNull(limitsOf.get(tier.otherwise()), "checked when this was made");
  }
}
