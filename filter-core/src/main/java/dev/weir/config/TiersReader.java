package dev.weir.config;

import dev.weir.http.KeyDigest;
import dev.weir.http.PlanFunction;
import dev.weir.http.Tier;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Reads the tiers by name, which determine a client's plan, and the references of rules to them.
 */
final class TiersReader {

  private static final String EXPECTED =
      "tiers by name, such as 'plan: { header: X-Plan, otherwise: free }'";
  private static final String TIER =
      "a map with header, roles, key and file, or class, and with otherwise";
  private static final String HEADER = "header";
  private static final String ROLES = "roles";
  private static final String KEY = "key";
  private static final String CLASS = "class";
  private static final String FILE = "file";
  private static final String OTHERWISE = "otherwise";
  private static final String ONE = "one of header, roles, key, class, which tells the plan";
  private static final List<String> KINDS = List.of(HEADER, ROLES, KEY, CLASS);
  private static final List<String> KEYS = List.of(HEADER, ROLES, KEY, FILE, CLASS, OTHERWISE);
  private static final String PLAN = "the name of a plan";

  private final UserClass userClass;
  private final KeyFileReader files;
  private final boolean trustsProxies;
  private final Map<String, Tier> tiers = new HashMap<>();

  /** Includes invalid tiers, so that a reference to one is not reported as a second problem. */
  private final Set<String> names = new HashSet<>();

  TiersReader(ClassLoader classLoader, KeyFileReader files, boolean trustsProxies) {
    this.userClass = new UserClass(classLoader);
    this.files = files;
    this.trustsProxies = trustsProxies;
  }

  void read(Section top) {
    Optional<Section> all = top.value("tiers").flatMap(value -> value.names(EXPECTED));
    all.ifPresent(section -> section.entries().forEach(this::read));
  }

  private void read(Map.Entry<String, Value> entry) {
    names.add(entry.getKey());
    entry
        .getValue()
        .section(TIER, KEYS)
        .flatMap(this::tier)
        .ifPresent(tier -> tiers.put(entry.getKey(), tier));
  }

  /** Returns the tier that a rule names, or empty when it is invalid or does not exist. */
  Optional<Tier> named(Value reference) {
    Optional<String> name = reference.text("the name of a tier");
    if (name.isPresent() && !names.contains(name.get())) {
      reference.problem(
          reference.found(),
          names.isEmpty()
              ? "no tier, since 'tiers' names none"
              : "one of the tiers " + Redacted.names(names),
          Spelling.nearest(name.get(), names));
    }
    return name.flatMap(known -> Optional.ofNullable(tiers.get(known)));
  }

  private Optional<Tier> tier(Section map) {
    Optional<String> otherwise =
        map.required(OTHERWISE, "the plan of whom nothing tells one")
            .flatMap(value -> value.text(PLAN));
    List<String> kinds = new ArrayList<>(KINDS);
    kinds.removeIf(kind -> map.value(kind).isEmpty());
    if (kinds.isEmpty()) {
      map.problem(HEADER, ONE);
      return Optional.empty();
    }
    if (kinds.size() > 1) {
      map.value(kinds.get(1)).ifPresent(second -> second.problem("a second teller", ONE));
      return Optional.empty();
    }
    return told(map, kinds.get(0), otherwise.orElse(PLAN)).filter(tier -> otherwise.isPresent());
  }

  private Optional<Tier> told(Section map, String kind, String otherwise) {
    Value teller = map.value(kind).orElseThrow(IllegalStateException::new);
    if (!kind.equals(KEY)) {
      map.value(FILE).ifPresent(file -> file.problem(file.found(), "no file: it is of key"));
    }
    return switch (kind) {
      case HEADER -> header(teller, otherwise);
      case ROLES -> roles(teller, otherwise);
      case KEY -> keys(map, teller, otherwise);
      default ->
          teller
              .text("a class")
              .flatMap(name -> userClass.make(teller, name, PlanFunction.class))
              .map(function -> new Tier.OfFunction(function, otherwise));
    };
  }

  private Optional<Tier> header(Value header, String otherwise) {
    if (!trustsProxies) {
      header.problem(
          header.found(), "trusted-proxies in client-address, or else it is never believed");
      return Optional.empty();
    }
    return header.parsed("a field name", name -> new Tier.OfHeader(name, otherwise));
  }

  private static Optional<Tier> roles(Value roles, String otherwise) {
    String expected = "roles and their plans, such as { admin: vip, customer: pro }";
    Map<String, String> planOfRole = new LinkedHashMap<>();
    Optional<Section> section = roles.names(expected);
    section.ifPresent(
        all ->
            all.entries()
                .forEach(
                    entry ->
                        entry
                            .getValue()
                            .text(PLAN)
                            .ifPresent(plan -> planOfRole.put(entry.getKey(), plan))));
    return section.flatMap(
        all -> roles.making(expected, () -> new Tier.OfRoles(planOfRole, otherwise)));
  }

  private Optional<Tier> keys(Section map, Value place, String otherwise) {
    Map<KeyDigest, String> plans =
        map.required(FILE, "a file with the SHA-256 of a key and its plan in each line")
            .map(files::plans)
            .orElse(Map.of());
    return place.parsed(
        "header:NAME, query:NAME or cookie:NAME", text -> new Tier.OfKeys(text, plans, otherwise));
  }
}
