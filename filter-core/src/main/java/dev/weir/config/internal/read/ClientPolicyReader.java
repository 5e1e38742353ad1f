package dev.weir.config.internal.read;

import dev.weir.config.internal.document.Section;
import dev.weir.config.internal.document.Value;
import dev.weir.http.ClientPolicy;
import dev.weir.http.ClientPolicy.LimitOverride;
import dev.weir.http.ClientPolicy.TierLimits;
import dev.weir.http.Clients;
import dev.weir.http.KeyDigest;
import dev.weir.http.NamedLimit;
import dev.weir.http.TierSource;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Reads which limits a rule has for which clients: for all, by tier, or for some clients alone. A
 * list of clients has networks, and keys by their digests.
 */
record ClientPolicyReader(LimitsReader limits, TiersReader tiers, KeyFileReader files) {

  private static final String LIMITS = "the limits that the rule applies";
  private static final String BY_TIER =
      "limits for each tier, such as { free: [slow], pro: [fast], vip: unlimited }";
  private static final String OVERRIDES =
      "a list of overrides, each with clients and limits, such as { clients: 192.0.2.7, limits:"
          + " [fast] }";
  private static final String UNLIMITED = "unlimited";

  /** What is written by mistake for a tier without limits. */
  private static final List<String> NONE = List.of("none", "no", "off", "infinite");

  private static final String NOT_SHOWN = "a value that is not shown";
  private static final String LOCALHOST = "localhost";
  private static final String CLIENTS =
      "a network such as 192.0.2.0/24, or keys such as { key: header:X-API-Key, file: keys.sha256"
          + " }, or a list of these";
  private static final String SHA256 = "sha256";
  private static final String FILE = "file";
  private static final String DIGESTS =
      "the SHA-256 of a key as 64 hexadecimal digits, or a list of these";

  /** Reads the policy of this rule. The result is empty when there is a problem with its limits. */
  Optional<ClientPolicy> read(Section rule, String name) {
    ClientPolicy lists =
        ClientPolicy.SAME_FOR_ALL
            .withDenied(clients(rule.value("deny")))
            .withAllowed(clients(rule.value("allow")));
    Optional<ClientPolicy> policy =
        rule.has("tier")
            ? byTier(rule, name, lists)
            : standard(rule, name).map(same -> lists.withOverrides(List.of(), same));
    List<LimitOverride> overrides = overrides(rule, name);
    return policy.map(base -> base.withOverrides(overrides, base.standard()));
  }

  /**
   * Returns the limits of all clients together. If all clients are equal, these are as written, so
   * that a duplicate is reported.
   */
  static List<NamedLimit> limits(ClientPolicy policy) {
    boolean areEqual = policy.tiers().isEmpty() && policy.overrides().isEmpty();
    return areEqual ? policy.standard() : policy.limits();
  }

  /** Reads the limits for all clients. A rule that denies some clients may have no limits. */
  private Optional<List<NamedLimit>> standard(Section rule, String name) {
    if (!rule.has("limits") && rule.has("deny")) {
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
    if (source.isEmpty() || limitsOf.isEmpty()) {
      return Optional.empty();
    }
    return value.get().make(() -> lists.withTiers(new TierLimits(source.get(), limitsOf.get())));
  }

  private Map<String, List<NamedLimit>> limitsOf(Section tiers, String rule) {
    Map<String, List<NamedLimit>> limitsOf = new LinkedHashMap<>();
    for (Map.Entry<String, Value> entry : tiers.entries()) {
      String tier = entry.getKey();
      Value value = entry.getValue();
      limitsOf.put(
          tier, isUnlimited(value) ? List.of() : limits.references(value, rule + "." + tier));
    }
    return limitsOf;
  }

  private boolean isUnlimited(Value value) {
    if (NONE.stream().anyMatch(value::isText) && !limits.all().containsKey(value.text("").get())) {
      value.problem(value.found(), "unlimited, or names of limits", Optional.of(UNLIMITED));
      return true;
    }
    if (!value.isText(UNLIMITED)) {
      return false;
    }
    if (limits.all().containsKey(UNLIMITED)) {
      value.refuse("another name for the limit, for 'unlimited' means none");
    }
    return true;
  }

  private List<LimitOverride> overrides(Section rule, String name) {
    List<LimitOverride> overrides = new ArrayList<>();
    int number = 0;
    for (Value item : rule.value("overrides").map(v -> v.items(OVERRIDES)).orElse(List.of())) {
      String limitName = name + ".override-" + ++number;
      item.section(OVERRIDES, List.of("clients", "limits"))
          .flatMap(map -> override(map, limitName))
          .ifPresent(overrides::add);
    }
    return overrides;
  }

  private Optional<LimitOverride> override(Section map, String name) {
    Clients some = clients(map.required("clients", CLIENTS));
    return map.required("limits", LIMITS)
        .map(value -> limits.references(value, name))
        .filter(others -> !others.isEmpty())
        .map(others -> new LimitOverride(some, others));
  }

  private Clients clients(Optional<Value> list) {
    Clients clients = Clients.NONE;
    for (Value item : list.map(value -> value.itemsOrMap(CLIENTS)).orElse(List.of())) {
      Optional<Clients> some =
          item.isMapping()
              ? item.shownAs(key -> NOT_SHOWN)
                  .section(CLIENTS, List.of("key", SHA256, FILE))
                  .flatMap(this::keys)
              : network(item);
      clients = some.map(clients::and).orElse(clients);
    }
    return clients;
  }

  /**
   * Reads a network. An invalid value is not shown, because it may be a key instead of its digest.
   */
  private static Optional<Clients> network(Value item) {
    if (item.isText(LOCALHOST)) {
      return item.refuse("addresses such as 127.0.0.1 and ::1, for no name is looked up");
    }
    return item.shownAs(ClientPolicyReader::unlessKey)
        .parsed(CLIENTS, network -> Clients.in(List.of(network)));
  }

  private static String unlessKey(String found) {
    return found.chars().allMatch(c -> "'0123456789abcdefABCDEF:./-* ".indexOf(c) >= 0)
            && (found.contains(".") || found.contains(":"))
        ? found
        : NOT_SHOWN;
  }

  private Optional<Clients> keys(Section map) {
    Set<KeyDigest> digests = new HashSet<>();
    map.value(SHA256)
        .map(value -> value.shownAs(hidden -> "something else").each(DIGESTS, KeyDigest::new))
        .ifPresent(digests::addAll);
    map.value(FILE).map(files::digests).ifPresent(digests::addAll);
    if (!map.has(SHA256) && !map.has(FILE)) {
      map.missing(SHA256, DIGESTS + ", or else a file of them");
    }
    return map.required("key", "the place of the key, such as header:X-API-Key")
        .flatMap(
            place -> place.parsed(TiersReader.KEY_PLACE, text -> Clients.knowing(text, digests)));
  }
}
