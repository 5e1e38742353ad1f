package dev.weir.http;

import dev.weir.http.internal.decide.RuleEvents;
import dev.weir.internal.Expect;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeSet;

/**
 * The limits of each tier. Counters belong to limits. So a client that changes its tier starts with
 * full counters for limits that its old tier did not have.
 *
 * @param source determines a client's tier
 * @param limitsOf for each tier that the source may return; an empty list means no limit
 */
public record TierLimits(TierSource source, Map<String, List<NamedLimit>> limitsOf) {

  /**
   * @throws IllegalArgumentException when a tier that the source may return has no entry
   */
  public TierLimits {
    Objects.requireNonNull(source, "source");
    limitsOf = Map.copyOf(limitsOf);
    TreeSet<String> tiers = new TreeSet<>(source.tiers());
    tiers.add(source.otherwise());
    for (String tier : tiers) {
      if (!limitsOf.containsKey(tier)) {
        throw Expect.failure(
            "limits",
            new TreeSet<>(limitsOf.keySet()),
            "limits for tier '" + tier + "' too, which 'tier' may return");
      }
    }
  }

  /**
   * Returns the limits of the client of this request. If its tier cannot be determined, the failure
   * is reported.
   */
  List<NamedLimit> limits(RequestContext context, RuleEvents events) {
    List<NamedLimit> limits = limitsOf.get(tier(context, events));
    return limits == null ? otherwise() : limits;
  }

  private String tier(RequestContext context, RuleEvents events) {
    try {
      return source.tier(context).orElse(source.otherwise());
    } catch (RuntimeException e) {
      events.failed("a tier cannot be determined, the default applies", e);
      return source.otherwise();
    }
  }

  private List<NamedLimit> otherwise() {
    return Objects.requireNonNull(limitsOf.get(source.otherwise()), "checked when this was made");
  }
}
