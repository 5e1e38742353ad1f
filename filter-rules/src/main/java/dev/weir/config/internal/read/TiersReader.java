package dev.weir.config.internal.read;

import dev.weir.config.internal.document.Section;
import dev.weir.config.internal.document.Value;
import dev.weir.config.internal.key.Forms;
import dev.weir.config.internal.key.Key;
import dev.weir.config.internal.key.KeyGroup;
import dev.weir.config.internal.key.KeyGroup.Kind;
import dev.weir.config.internal.key.ValueType.ByName;
import dev.weir.config.internal.key.ValueType.Form;
import dev.weir.config.internal.key.ValueType.Instance;
import dev.weir.config.internal.key.ValueType.Mapping;
import dev.weir.http.ClientPolicy.KeyDigest;
import dev.weir.http.RequestFunction;
import dev.weir.http.TierSource;
import dev.weir.internal.Redaction;
import dev.weir.internal.Spelling;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** Reads how clients get their tier, by name, and the references of rules to these names. */
final class TiersReader {

  private static final String EXPECTED =
      "tiers by name, such as 'by-role: { roles: { customer: pro }, otherwise: free }'";
  private static final String TIER =
      "a map with header, roles, key and file, or class, and with otherwise";

  /** The places in a request that may have a key. */
  static final String KEY_PLACE = "header:NAME, query:NAME or cookie:NAME";

  private static final String TIER_NAME = "the name of a tier";
  private static final Form NAME = new Form(TIER_NAME, Forms.ANY);
  private static final String ROLES_EXPECTED =
      "roles and their tiers, such as { admin: vip, customer: pro }";

  private static final Key<Value> HEADER =
      Key.of(
          "header",
          new Form("a field name", Forms.FIELD_NAME),
          "A header that a trusted proxy sets to the tier. It needs `client-address`.",
          "X-Tier");
  private static final Key<Value> ROLES =
      Key.of(
          "roles",
          new ByName(ROLES_EXPECTED, NAME),
          "The tier of each role. The first role that the user has holds; `\"**\"` is every user.",
          "{ admin: vip, customer: pro }");
  private static final Key<Value> KEY =
      Key.of(
          "key",
          new Form(KEY_PLACE, Forms.KEY_PLACE),
          "Where the request has a key whose tier stands in `file`.",
          "header:X-API-Key");
  private static final Key<Value> FILE =
      Key.of(
          "file",
          KeyFileReader.FILE,
          "A file with the SHA-256 of a key and its tier in each line.",
          "/etc/shop/tiers.sha256");
  private static final Key<RequestFunction> CLASS =
      Key.of(
          "class",
          new Instance<>(RequestFunction.class),
          "A public class of yours that determines the tier.",
          "com.example.TierOfToken");
  private static final Key<Value> OTHERWISE =
      Key.of("otherwise", NAME, "The tier of all other clients.", "free");

  private static final KeyGroup KEYS =
      KeyGroup.of(TIER, OTHERWISE)
          .requiring(OTHERWISE)
          .withKinds(
              List.of(
                  Kind.of(HEADER),
                  Kind.of(ROLES),
                  new Kind(KEY, List.of(FILE), List.of()),
                  Kind.of(CLASS)))
          .withHints(Map.of("default", "otherwise: the tier of all other clients"));

  static final Key<Value> TIERS =
      Key.of(
          "tiers",
          new ByName(EXPECTED, new Mapping(KEYS)),
          "How clients get their tier, by name, for rules to name.",
          "{ by-role: { roles: { customer: pro }, otherwise: free } }");

  /** The tier of a rule. */
  static final Key<Value> OF_RULE =
      Key.of(
              "tier",
              new Form("the name of one of the tiers", Forms.ANY),
              "One of the `tiers`; `limits` has limits for each tier then.",
              "by-role")
          .otherwise("none: all clients have the same limits");

  private final KeyFileReader files;
  private final boolean trustsProxies;
  private final Map<String, TierSource> sources = new HashMap<>();

  /** Includes invalid ones, so that a reference to one is not reported as a second problem. */
  private final Set<String> names = new HashSet<>();

  TiersReader(KeyFileReader files, boolean trustsProxies) {
    this.files = files;
    this.trustsProxies = trustsProxies;
  }

  void read(Section top) {
    Optional<Section> all = TIERS.in(top).flatMap(value -> value.names(EXPECTED));
    all.ifPresent(
        section -> section.entries().forEach(entry -> read(entry.getKey(), entry.getValue())));
  }

  private void read(String name, Value tier) {
    names.add(name);
    KEYS.read(tier).flatMap(this::source).ifPresent(source -> sources.put(name, source));
  }

  /** Returns the tier that a rule names, or empty when it is invalid or does not exist. */
  Optional<TierSource> named(Value reference) {
    Optional<String> name = reference.text(TIER_NAME);
    if (name.isPresent() && !names.contains(name.get())) {
      reference.problem(
          reference.found(),
          names.isEmpty()
              ? "no tier, since 'tiers' names none"
              : "one of the tiers " + Redaction.names(names),
          Spelling.nearest(name.get(), names));
    }
    return name.flatMap(known -> Optional.ofNullable(sources.get(known)));
  }

  private Optional<TierSource> source(Section map) {
    Optional<String> otherwise =
        OTHERWISE
            .required(map, "the tier of all other clients")
            .flatMap(value -> value.text(TIER_NAME));
    return KEYS.kind(map)
        .flatMap(kind -> ofKind(map, otherwise.orElse(TIER_NAME)))
        .filter(source -> otherwise.isPresent());
  }

  /** Reads a map of one kind, so that the keys of the other kinds are missing. */
  private Optional<TierSource> ofKind(Section map, String otherwise) {
    return HEADER
        .in(map)
        .flatMap(header -> header(header, otherwise))
        .or(() -> ROLES.in(map).flatMap(roles -> roles(roles, otherwise)))
        .or(() -> KEY.in(map).flatMap(place -> keys(map, place, otherwise)))
        .or(() -> CLASS.in(map).map(function -> TierSource.ofFunction(function, otherwise)));
  }

  private Optional<TierSource> header(Value header, String otherwise) {
    return trustsProxies
        ? header.parsed("a field name", name -> TierSource.ofHeader(name, otherwise))
        : header.refuse("trusted-proxies in client-address, without which it is never trusted");
  }

  private static Optional<TierSource> roles(Value roles, String otherwise) {
    Optional<Section> map = roles.names(ROLES_EXPECTED);
    Map<String, String> tiers = new LinkedHashMap<>();
    for (Map.Entry<String, Value> role : map.map(Section::entries).orElse(List.of())) {
      role.getValue().text(TIER_NAME).ifPresent(tier -> tiers.put(role.getKey(), tier));
    }
    return map.flatMap(read -> roles.make(() -> TierSource.ofRoles(tiers, otherwise)));
  }

  private Optional<TierSource> keys(Section map, Value place, String otherwise) {
    Map<KeyDigest, String> tiers =
        FILE.required(map, "a file with the SHA-256 of a key and its tier in each line")
            .map(files::tiers)
            .orElse(Map.of());
    return place.parsed(KEY_PLACE, text -> TierSource.ofKeys(text, tiers, otherwise));
  }
}
