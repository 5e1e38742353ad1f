package dev.weir.config.internal.read;

import dev.weir.config.internal.document.Mistakes;
import dev.weir.config.internal.document.Section;
import dev.weir.config.internal.document.Value;
import dev.weir.config.internal.key.Forms;
import dev.weir.config.internal.key.Key;
import dev.weir.config.internal.key.KeyGroup;
import dev.weir.config.internal.key.ValueType;
import dev.weir.http.ClientPolicy;
import dev.weir.http.ClientPolicy.Clients;
import dev.weir.http.ClientPolicy.KeyDigest;
import dev.weir.http.ClientPolicy.LimitOverride;
import dev.weir.http.ClientPolicy.TierLimits;
import dev.weir.http.Rule.NamedLimit;
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

  private static final String NOT_SHOWN = "a value that is not shown";
  private static final String CLIENTS =
      "a network such as 192.0.2.0/24, or keys such as { key: header:X-API-Key, file: keys.sha256"
          + " }, or a list of these";
  private static final String DIGESTS =
      "the SHA-256 of a key as 64 hexadecimal digits, or a list of these";

  private static final Key<Value> KEY =
      Key.of("key", new ValueType.Form(TiersReader.KEY_PLACE, Forms.KEY_PLACE), "header:X-API-Key")
          .means("Where the request has the key.");
  private static final Key<Value> SHA256 =
      Key.of(
              "sha256",
              new ValueType.Items(DIGESTS, Forms.SHA256),
              "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08")
          .means(
              "The SHA-256 of a key, or several, as `printf %s KEY | sha256sum | cut -c1-64` prints it.");
  private static final Key<Value> FILE =
      Key.of("file", KeyFileReader.FILE, "/etc/shop/partners.sha256")
          .means("A file with one of these in each line, in addition or instead.");

  private static final KeyGroup CLIENT_KEYS =
      KeyGroup.of(CLIENTS, KEY, SHA256, FILE).requiring(KEY);

  /** Networks, and keys by their digests. */
  private static final ValueType.Items SOME =
      new ValueType.Items(
          CLIENTS,
          new ValueType.AnyOf(
              CLIENTS,
              new ValueType.Form(CLIENTS, Forms.NETWORK),
              new ValueType.Mapping(CLIENT_KEYS)));

  private static final Key<Value> OF_SOME =
      Key.of("limits", LimitsReader.SOME, "[fast]").means("The limits of these clients.");
  private static final Key<Value> WHOSE =
      Key.of("clients", SOME, "192.0.2.7").means("Networks and keys.");

  private static final KeyGroup OVERRIDE =
      KeyGroup.of(OVERRIDES, WHOSE, OF_SOME).requiring(WHOSE, OF_SOME);

  static final Key<Value> ALLOW =
      Key.ofParam("allow", SOME, "[10.20.0.0/16]")
          .means("Clients that this rule does not limit. A param has networks only.");

  static final Key<Value> DENY =
      Key.ofParam("deny", SOME, "[192.0.2.0/24]")
          .means("Clients that get 403, whatever other rules say. A param has networks only.");

  static final Key<Value> RULE_LIMITS =
      Key.of(
              "limits",
              new ValueType.AnyOf(
                  "names of limits, or limits such as '5 per minute', or a list",
                  LimitsReader.SOME,
                  new ValueType.ByName(
                      BY_TIER,
                      new ValueType.AnyOf(
                          BY_TIER, new ValueType.Form(UNLIMITED), LimitsReader.SOME))),
              "[api, 1000 per day window UTC]")
          .means(
              "Names of limits, limits in place, or both; with a `tier`, those of each tier, or"
                  + " `unlimited`. A param has limits in place only.")
          .otherwise("required, unless the rule has `deny` and no `tier`")
          .param("limit");

  static final Key<Value> OVERRIDES_OF_RULE =
      Key.of(
              "overrides",
              new ValueType.Items(OVERRIDES, new ValueType.Mapping(OVERRIDE)),
              "[{ clients: 192.0.2.7, limits: [fast] }]")
          .means("Other limits for some clients. The first that has the client holds.");

  /** Reads the policy of this rule. The result is empty when there is a problem with its limits. */
  Optional<ClientPolicy> read(Section rule, String name) {
    ClientPolicy lists =
        ClientPolicy.SAME_FOR_ALL
            .withDenied(clients(DENY.in(rule)))
            .withAllowed(clients(ALLOW.in(rule)));
    Optional<ClientPolicy> policy =
        TiersReader.OF_RULE.isIn(rule)
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
    if (!RULE_LIMITS.isIn(rule) && DENY.isIn(rule)) {
      return Optional.of(List.of());
    }
    return RULE_LIMITS
        .required(rule, LIMITS)
        .map(value -> limits.references(value, name))
        .filter(found -> !found.isEmpty());
  }

  private Optional<ClientPolicy> byTier(Section rule, String name, ClientPolicy lists) {
    Optional<TierSource> source = TiersReader.OF_RULE.in(rule).flatMap(tiers::named);
    Optional<Section> byTier =
        RULE_LIMITS.required(rule, BY_TIER).flatMap(value -> value.names(BY_TIER));
    Map<String, List<NamedLimit>> limitsOf = new LinkedHashMap<>();
    byTier.ifPresent(
        map ->
            map.forEach(
                (tier, value) ->
                    limitsOf.put(
                        tier,
                        isUnlimited(value)
                            ? List.of()
                            : limits.references(value, name + "." + tier))));
    return source.flatMap(
        known ->
            byTier.flatMap(
                map -> map.make(() -> lists.withTiers(new TierLimits(known, limitsOf)))));
  }

  private boolean isUnlimited(Value value) {
    Optional<String> meant = value.meant(Mistakes.TIER);
    if (meant.isPresent() && limits.all().keySet().stream().noneMatch(value::isText)) {
      value.problem(value.found(), "unlimited, or names of limits", meant);
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
    for (Value item : OVERRIDES_OF_RULE.in(rule).map(v -> v.items(OVERRIDES)).orElse(List.of())) {
      String limitName = name + ".override-" + ++number;
      Optional<Section> map = OVERRIDE.read(item);
      Clients some = clients(map.flatMap(keys -> WHOSE.required(keys, CLIENTS)));
      map.flatMap(keys -> OF_SOME.required(keys, LIMITS))
          .map(value -> limits.references(value, limitName))
          .filter(others -> !others.isEmpty())
          .ifPresent(others -> overrides.add(new LimitOverride(some, others)));
    }
    return overrides;
  }

  private Clients clients(Optional<Value> list) {
    Clients clients = Clients.NONE;
    for (Value item : list.map(value -> value.itemsOrMap(CLIENTS)).orElse(List.of())) {
      Optional<Clients> some =
          item.isMapping()
              ? CLIENT_KEYS.read(item.shownAs(key -> NOT_SHOWN)).flatMap(this::keys)
              : network(item);
      clients = some.map(clients::and).orElse(clients);
    }
    return clients;
  }

  /**
   * Reads a network. An invalid value is not shown, because it may be a key instead of its digest.
   */
  private static Optional<Clients> network(Value item) {
    Optional<String> meant = item.meant(Mistakes.NETWORK);
    if (meant.isPresent()) {
      return item.refuse(meant.get());
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
    SHA256
        .in(map)
        .map(value -> value.shownAs(hidden -> "something else").each(DIGESTS, KeyDigest::new))
        .ifPresent(digests::addAll);
    FILE.in(map).map(files::digests).ifPresent(digests::addAll);
    if (!SHA256.isIn(map) && !FILE.isIn(map)) {
      map.missing(SHA256.name(), DIGESTS + ", or else a file of them");
    }
    return KEY.required(map, "the place of the key, such as header:X-API-Key")
        .flatMap(
            place -> place.parsed(TiersReader.KEY_PLACE, text -> Clients.knowing(text, digests)));
  }
}
