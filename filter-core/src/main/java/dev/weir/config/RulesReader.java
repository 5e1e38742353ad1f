package dev.weir.config;

import dev.weir.Counter;
import dev.weir.OnOutage;
import dev.weir.http.ClientPolicy;
import dev.weir.http.Cost;
import dev.weir.http.MatchOptions;
import dev.weir.http.NamedLimit;
import dev.weir.http.RequestMatcher;
import dev.weir.http.Rule;
import dev.weir.http.SubjectResolver;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** Reads the rules, in their order. */
final class RulesReader {

  private static final String EXPECTED =
      "a list of rules, each with name, match, subject and limits";
  private static final String PATTERN =
      "a pattern such as '/api/**' or 'POST /login', or a list of patterns";
  private static final List<String> KEYS =
      List.of(
          "name",
          "match",
          "except",
          "subject",
          "missing",
          "allow",
          "deny",
          "limits",
          "cost",
          "on-outage",
          "enabled");

  private final LimitsReader limits;
  private final SubjectReader subjects;
  private final ClientsReader clients;
  private final MatchOptions paths;
  private final OnOutage onOutage;

  private final Set<String> names = new HashSet<>();
  private final List<Rule> rules = new ArrayList<>();
  private final Set<String> disabled = new HashSet<>();

  /**
   * @param classLoader where classes of the user's are, and files on the class path
   */
  RulesReader(LimitsReader limits, ClassLoader classLoader, MatchOptions paths, OnOutage onOutage) {
    this.limits = limits;
    this.subjects = new SubjectReader(classLoader);
    this.clients = new ClientsReader(classLoader);
    this.paths = paths;
    this.onOutage = onOutage;
  }

  void read(Section top) {
    Optional<Value> list = top.value("rules");
    if (list.filter(Value::isMapping).isPresent()) {
      list.get().problem(list.get().found(), EXPECTED);
      return;
    }
    list.map(value -> value.items(EXPECTED)).orElse(List.of()).forEach(this::readRule);
  }

  /** Those that are enabled. */
  List<Rule> rules() {
    return List.copyOf(rules);
  }

  /** The names of those that are not. */
  Set<String> disabled() {
    return Set.copyOf(disabled);
  }

  void readRule(Value item) {
    Optional<Section> section = item.section(EXPECTED, KEYS);
    if (section.isEmpty()) {
      return;
    }
    Section rule = section.get();
    String name = name(rule).orElse("unnamed");
    boolean isEnabled = rule.value("enabled").flatMap(Value::flag).orElse(true);
    Optional<RequestMatcher> match = match(rule);
    Optional<SubjectResolver> subject = subjects.read(rule);
    List<NamedLimit> references = limits(rule, name);
    Optional<Cost> cost = CostReader.read(rule, references);
    OnOutage outage =
        rule.value("on-outage").flatMap(v -> v.oneOf(Choices.ON_OUTAGE)).orElse(onOutage);
    ClientPolicy policy = policy(rule);
    if (subject.isEmpty() || cost.isEmpty() || (references.isEmpty() && mustLimit(rule))) {
      return;
    }
    Optional<Rule> made =
        item.making(
            EXPECTED,
            () -> new Rule(name, match, subject.get(), references, cost.get(), outage, policy));
    if (isEnabled) {
      made.ifPresent(rules::add);
    } else {
      disabled.add(name);
    }
  }

  private Optional<String> name(Section rule) {
    Optional<Value> value = rule.required("name", "a name for the rule");
    Optional<String> name =
        value.flatMap(
            v ->
                v.parsed(
                    "a name for the rule",
                    text -> {
                      Counter.validateName(text);
                      return text;
                    }));
    if (name.isPresent() && !names.add(name.get())) {
      value.get().problem(value.get().found(), "a name that no other rule has");
    }
    return name;
  }

  /** A rule without patterns is one that only annotations use. */
  private Optional<RequestMatcher> match(Section rule) {
    List<String> except = patterns(rule.value("except"));
    Optional<Value> match = rule.value("match");
    if (match.isEmpty()) {
      rule.value("except")
          .ifPresent(value -> value.problem(value.found(), "a match from which to except"));
      return Optional.empty();
    }
    List<String> patterns = patterns(match);
    return patterns.isEmpty()
        ? Optional.empty()
        : match.get().making(PATTERN, () -> RequestMatcher.parse(patterns, except, paths));
  }

  /** Those that are well formed, each judged where it stands. */
  private List<String> patterns(Optional<Value> value) {
    List<String> patterns = new ArrayList<>();
    for (Value item : value.map(v -> v.items(PATTERN)).orElse(List.of())) {
      item.parsed(PATTERN, this::validPattern).ifPresent(patterns::add);
    }
    return patterns;
  }

  private String validPattern(String pattern) {
    RequestMatcher.parse(List.of(pattern), List.of(), paths);
    return pattern;
  }

  private ClientPolicy policy(Section rule) {
    return ClientPolicy.SAME_FOR_ALL
        .withDenied(clients.read(rule.value("deny")))
        .withAllowed(clients.read(rule.value("allow")));
  }

  /** A rule that says whom to deny may leave it at that. */
  private static boolean mustLimit(Section rule) {
    return rule.value("limits").isPresent() || rule.value("deny").isEmpty();
  }

  private List<NamedLimit> limits(Section rule, String name) {
    if (!mustLimit(rule)) {
      return List.of();
    }
    return rule.required("limits", "the limits that the rule applies")
        .map(value -> limits.references(value, name))
        .orElse(List.of());
  }
}
