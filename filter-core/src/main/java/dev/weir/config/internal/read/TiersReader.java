package dev.weir.config.internal.read;

import dev.weir.config.internal.document.Section;
import dev.weir.config.internal.document.Value;
import dev.weir.http.KeyDigest;
import dev.weir.http.TierFunction;
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
  private static final String HEADER = "header";
  private static final String ROLES = "roles";
  private static final String KEY = "key";
  private static final String CLASS = "class";
  private static final String FILE = "file";
  private static final String OTHERWISE = "otherwise";
  private static final String ONE = "one of header, roles, key, class, which determines the tier";
  private static final List<String> KINDS = List.of(HEADER, ROLES, KEY, CLASS);
  private static final List<String> KEYS = List.of(HEADER, ROLES, KEY, FILE, CLASS, OTHERWISE);

  private static final Map<String, String> HINTS =
      Map.of("default", OTHERWISE + ": the tier of all other clients");

  /** The places in a request that may have a key. */
  static final String KEY_PLACE = "header:NAME, query:NAME or cookie:NAME";

  private static final String TIER_NAME = "the name of a tier";

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
    Optional<Section> all = top.value("tiers").flatMap(value -> value.names(EXPECTED));
    all.ifPresent(
        section -> section.entries().forEach(entry -> read(entry.getKey(), entry.getValue())));
  }

  private void read(String name, Value tier) {
    names.add(name);
    tier.section(TIER, KEYS, HINTS)
        .flatMap(this::source)
        .ifPresent(source -> sources.put(name, source));
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
        map.required(OTHERWISE, "the tier of all other clients")
            .flatMap(value -> value.text(TIER_NAME));
    List<String> kinds = KINDS.stream().filter(map::has).toList();
    if (kinds.isEmpty()) {
      map.missing(HEADER, ONE);
      return Optional.empty();
    }
    if (kinds.size() > 1) {
      map.value(kinds.get(1)).ifPresent(second -> second.problem("a second one", ONE));
      return Optional.empty();
    }
    return ofKind(map, kinds.get(0), otherwise.orElse(TIER_NAME))
        .filter(source -> otherwise.isPresent());
  }

  private Optional<TierSource> ofKind(Section map, String kind, String otherwise) {
    Value value = map.value(kind).orElseThrow(IllegalStateException::new);
    if (!kind.equals(KEY)) {
      map.value(FILE).ifPresent(file -> file.refuse("no file, which belongs to key"));
    }
    return switch (kind) {
      case HEADER -> header(value, otherwise);
      case ROLES -> roles(value, otherwise);
      case KEY -> keys(map, value, otherwise);
      default ->
          value
              .instance("a class", TierFunction.class)
              .map(function -> TierSource.ofFunction(function, otherwise));
    };
  }

  private Optional<TierSource> header(Value header, String otherwise) {
    return trustsProxies
        ? header.parsed("a field name", name -> TierSource.ofHeader(name, otherwise))
        : header.refuse("trusted-proxies in client-address, without which it is never trusted");
  }

  private static Optional<TierSource> roles(Value roles, String otherwise) {
    String expected = "roles and their tiers, such as { admin: vip, customer: pro }";
    return roles
        .names(expected)
        .map(TiersReader::tierOfRole)
        .flatMap(tiers -> roles.make(() -> TierSource.ofRoles(tiers, otherwise)));
  }

  private static Map<String, String> tierOfRole(Section roles) {
    Map<String, String> tiers = new LinkedHashMap<>();
    for (Map.Entry<String, Value> entry : roles.entries()) {
      entry.getValue().text(TIER_NAME).ifPresent(tier -> tiers.put(entry.getKey(), tier));
    }
    return tiers;
  }

  private Optional<TierSource> keys(Section map, Value place, String otherwise) {
    Map<KeyDigest, String> tiers =
        map.required(FILE, "a file with the SHA-256 of a key and its tier in each line")
            .map(files::tiers)
            .orElse(Map.of());
    return place.parsed(KEY_PLACE, text -> TierSource.ofKeys(text, tiers, otherwise));
  }
}
