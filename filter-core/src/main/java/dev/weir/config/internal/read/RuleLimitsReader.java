package dev.weir.config.internal.read;

import dev.weir.config.internal.document.Section;
import dev.weir.config.internal.document.Value;
import dev.weir.http.ClientPolicy;
import dev.weir.http.Clients;
import dev.weir.http.LimitOverride;
import dev.weir.http.NamedLimit;
import dev.weir.http.TierLimits;
import dev.weir.http.TierSource;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Reads which limits a rule has for which clients: for all, by tier, or for some clients alone. */
final class RuleLimitsReader {

  private static final String LIMITS = "the limits that the rule applies";
  private static final String BY_TIER =
      "limits for each tier, such as { free: [slow], pro: [fast], vip: unlimited }";
  private static final String OVERRIDES =
      "a list of overrides, each with clients and limits, such as { clients: 192.0.2.7, limits:"
          + " [fast] }";
  private static final String UNLIMITED = "unlimited";

  private final LimitsReader limits;
  private final TiersReader tiers;
  private final ClientsReader clients;

  RuleLimitsReader(LimitsReader limits, TiersReader tiers, ClientsReader clients) {
    this.limits = limits;
    this.tiers = tiers;
    this.clients = clients;
  }

  /** Reads the limits of this rule. The result is empty when there is a problem. */
  Optional<RuleLimits> read(Section rule, String name) {
    ClientPolicy lists =
        ClientPolicy.SAME_FOR_ALL
            .withDenied(clients.read(rule.value("deny")))
            .withAllowed(clients.read(rule.value("allow")));
    Optional<ClientPolicy> policy =
        rule.value("tier").isPresent()
            ? byTier(rule, name, lists)
            : standard(rule, name).map(same -> lists.withOverrides(List.of(), same));
    List<LimitOverride> overrides = overrides(rule, name);
    return policy
        .map(base -> base.withOverrides(overrides, base.standard()))
        .map(RuleLimitsReader::together);
  }

  /**
   * Combines the limits. If all clients are equal, it keeps them as written, so that a duplicate is
   * reported.
   */
  private static RuleLimits together(ClientPolicy policy) {
    boolean areEqual = policy.tiers().isEmpty() && policy.overrides().isEmpty();
    return new RuleLimits(areEqual ? policy.standard() : policy.limits(), policy);
  }

  /** Reads the limits for all clients. A rule that denies some clients may have no limits. */
  private Optional<List<NamedLimit>> standard(Section rule, String name) {
    if (rule.value("limits").isEmpty() && rule.value("deny").isPresent()) {
      return Optional.of(List.of());
    }
    return rule.required("limits", LIMITS)
        .map(value -> limits.references(value, name))
        .filter(found -> !found.isEmpty());
  }

  private Optional<ClientPolicy> byTier(Section rule, String name, ClientPolicy lists) {
    Optional<TierSource> source = rule.value("tier").flatMap(tiers::named);
    Optional<Value> value = rule.required("limits", BY_TIER);
    Optional<Map<String, List<NamedLimit>>> limitsOf =
        value.flatMap(v -> v.names(BY_TIER)).map(section -> limitsOf(section, name));
    return source.flatMap(
        known ->
            limitsOf.flatMap(
                each ->
                    value
                        .get()
                        .making(BY_TIER, () -> lists.withTiers(new TierLimits(known, each)))));
  }

  private Map<String, List<NamedLimit>> limitsOf(Section tiers, String rule) {
    Map<String, List<NamedLimit>> limitsOf = new LinkedHashMap<>();
    for (Map.Entry<String, Value> entry : tiers.entries()) {
      Value value = entry.getValue();
      limitsOf.put(
          entry.getKey(),
          isUnlimited(value) ? List.of() : limits.references(value, rule + "." + entry.getKey()));
    }
    return limitsOf;
  }

  private boolean isUnlimited(Value value) {
    if (!value.isText(UNLIMITED)) {
      return false;
    }
    if (limits.all().containsKey(UNLIMITED)) {
      value.problem(value.found(), "another name for the limit, for 'unlimited' means none");
    }
    return true;
  }

  private List<LimitOverride> overrides(Section rule, String name) {
    List<LimitOverride> overrides = new ArrayList<>();
    int number = 0;
    for (Value item : rule.value("overrides").map(v -> v.items(OVERRIDES)).orElse(List.of())) {
      number++;
      override(item, name + ".override-" + number).ifPresent(overrides::add);
    }
    return overrides;
  }

  private Optional<LimitOverride> override(Value item, String name) {
    Optional<Section> map = item.section(OVERRIDES, List.of("clients", "limits"));
    if (map.isEmpty()) {
      return Optional.empty();
    }
    Clients some = clients.read(map.get().required("clients", ClientsReader.EXPECTED));
    List<NamedLimit> others =
        map.get()
            .required("limits", LIMITS)
            .map(value -> limits.references(value, name))
            .orElse(List.of());
    return others.isEmpty() ? Optional.empty() : Optional.of(new LimitOverride(some, others));
  }
}
