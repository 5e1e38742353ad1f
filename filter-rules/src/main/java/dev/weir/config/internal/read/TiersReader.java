package dev.weir.config.internal.read;

import dev.weir.config.internal.document.Section;
import dev.weir.config.internal.document.Value;
import dev.weir.config.internal.key.Forms;
import dev.weir.config.internal.key.Key;
import dev.weir.config.internal.key.KeyGroup;
import dev.weir.config.internal.key.ValueType;
import dev.weir.http.ClientPolicy.KeyDigest;
import dev.weir.http.RequestFunction;
import dev.weir.http.TierSource;
import dev.weir.internal.Redaction;
import dev.weir.internal.Spelling;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Reads how clients get their tier, by name, and the references of rules to these names. */
final class TiersReader {

  /** The places in a request that may have a key. */
  static final String KEY_PLACE = "header:NAME, query:NAME or cookie:NAME";

  private static final String TIER_NAME = "the name of a tier";
  private static final ValueType.Form NAME = new ValueType.Form(TIER_NAME, Forms.ANY);

  private static final Key<Value> HEADER =
      Key.of("header", new ValueType.Form("a field name", Forms.FIELD_NAME), "X-Tier")
          .means("A header that a trusted proxy sets to the tier. It needs `client-address`.");
  private static final Key<Section> ROLES =
      Key.of(
              "roles",
              new ValueType.ByName(
                  "roles and their tiers, such as { admin: vip, customer: pro }", NAME),
              "{ admin: vip, customer: pro }")
          .means(
              "The tier of each role. The first role that the user has holds; `\"**\"` is every user.");
  private static final Key<Value> KEY =
      Key.of("key", new ValueType.Form(KEY_PLACE, Forms.KEY_PLACE), "header:X-API-Key")
          .means("Where the request has a key whose tier stands in `file`.");
  private static final Key<Value> FILE =
      Key.of("file", KeyFileReader.FILE, "/etc/shop/tiers.sha256")
          .means("A file with the SHA-256 of a key and its tier in each line.");
  private static final Key<RequestFunction> CLASS =
      Key.of("class", new ValueType.Instance<>(RequestFunction.class), "com.example.TierOfToken")
          .means("A public class of yours that determines the tier.");
  private static final Key<Value> OTHERWISE =
      Key.of("otherwise", NAME, "free").means("The tier of all other clients.");

  private static final KeyGroup KEYS =
      KeyGroup.of("a map with header, roles, key and file, or class, and with otherwise", OTHERWISE)
          .requiring(OTHERWISE)
          .withKinds(
              List.of(
                  KeyGroup.Kind.of(HEADER),
                  KeyGroup.Kind.of(ROLES),
                  new KeyGroup.Kind(KEY, List.of(FILE), List.of()),
                  KeyGroup.Kind.of(CLASS)))
          .withHints(Map.of("default", "otherwise: the tier of all other clients"));

  static final Key<Section> TIERS =
      Key.of(
              "tiers",
              new ValueType.ByName(
                  "tiers by name, such as 'by-role: { roles: { customer: pro }, otherwise: free }'",
                  new ValueType.Mapping(KEYS)),
              "{ by-role: { roles: { customer: pro }, otherwise: free } }")
          .means("How clients get their tier, by name, for rules to name.");

  /** The tier of a rule. */
  static final Key<Value> OF_RULE =
      Key.of("tier", new ValueType.Form("the name of one of the tiers", Forms.ANY), "by-role")
          .means("One of the `tiers`; `limits` has limits for each tier then.")
          .otherwise("none: all clients have the same limits");

  private final KeyFileReader files;
  private final boolean trustsProxies;

  /** By name; empty for an invalid one, so that a reference to it is not a second problem. */
  private final Map<String, Optional<TierSource>> sources = new HashMap<>();

  TiersReader(KeyFileReader files, boolean trustsProxies) {
    this.files = files;
    this.trustsProxies = trustsProxies;
  }

  void read(Section top) {
    Key.section(TIERS, top)
        .forEach((name, tier) -> sources.put(name, KEYS.read(tier).flatMap(this::source)));
  }

  /** Returns the tier that a rule names, or empty when it is invalid or does not exist. */
  Optional<TierSource> named(Value reference) {
    Optional<String> name = reference.text(TIER_NAME);
    if (name.isPresent() && !sources.containsKey(name.get())) {
      reference.problem(
          reference.found(),
          sources.isEmpty()
              ? "no tier, since 'tiers' names none"
              : "one of the tiers " + Redaction.names(sources.keySet()),
          Spelling.nearest(name.get(), sources.keySet()));
    }
    return name.flatMap(known -> sources.getOrDefault(known, Optional.empty()));
  }

  private Optional<TierSource> source(Section map) {
    Optional<String> given =
        OTHERWISE
            .required(map, "the tier of all other clients")
            .flatMap(value -> value.text(TIER_NAME));
    if (KEYS.kind(map).isEmpty()) {
      return Optional.empty();
    }
    // the keys of the other kinds are missing
    String otherwise = given.orElse(TIER_NAME);
    Optional<Section> roles = ROLES.in(map);
    Map<String, String> tiers = new LinkedHashMap<>();
    roles.ifPresent(
        all ->
            all.forEach(
                (role, tier) -> tier.text(TIER_NAME).ifPresent(name -> tiers.put(role, name))));
    return HEADER
        .in(map)
        .flatMap(header -> header(header, otherwise))
        .or(() -> roles.flatMap(it -> it.make(() -> TierSource.ofRoles(tiers, otherwise))))
        .or(() -> KEY.in(map).flatMap(place -> keys(map, place, otherwise)))
        .or(() -> CLASS.in(map).map(function -> TierSource.ofFunction(function, otherwise)))
        .filter(source -> given.isPresent());
  }

  private Optional<TierSource> header(Value header, String otherwise) {
    return trustsProxies
        ? header.parsed("a field name", name -> TierSource.ofHeader(name, otherwise))
        : header.refuse("trusted-proxies in client-address, without which it is never trusted");
  }

  private Optional<TierSource> keys(Section map, Value place, String otherwise) {
    Map<KeyDigest, String> tiers =
        FILE.required(map, "a file with the SHA-256 of a key and its tier in each line")
            .map(files::tiers)
            .orElse(Map.of());
    return place.parsed(KEY_PLACE, text -> TierSource.ofKeys(text, tiers, otherwise));
  }
}
