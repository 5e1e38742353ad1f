package dev.weir.config.internal.read;

import dev.weir.Counter;
import dev.weir.OnOutage;
import dev.weir.config.internal.document.Redacted;
import dev.weir.config.internal.document.Section;
import dev.weir.config.internal.document.Value;
import dev.weir.http.ClientPolicy;
import dev.weir.http.Cost;
import dev.weir.http.Handling;
import dev.weir.http.NamedLimit;
import dev.weir.http.OnDenial;
import dev.weir.http.RequestMatcher;
import dev.weir.http.RequestMatcher.MatchOptions;
import dev.weir.http.Rule;
import dev.weir.http.Statuses;
import dev.weir.http.SubjectResolver;
import dev.weir.http.internal.check.RuleChecks;
import dev.weir.internal.Expect;
import dev.weir.internal.Spelling;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.UnaryOperator;

/** Reads the rules, in their order. */
final class RulesReader {

  /** The word that replaces patterns in a rule that only annotations use. */
  static final String ANNOTATIONS = "annotations";

  private static final String EXPECTED =
      "a list of rules, each with name, match, subject and limits";
  private static final String NAME = "a name for the rule";
  private static final String MATCH =
      "a path pattern such as /api/**, or 'annotations' for a rule that only @RateLimited uses";
  private static final String PATTERN =
      "a pattern such as '/api/**' or 'POST /login', or a list of patterns";
  private static final String STATUSES = "a status such as 401 or a class such as 4xx, or a list";
  private static final String DEGRADE_TO = "degrade to ";
  private static final String DELAY_UP_TO = "delay up to ";
  private static final String DELAY_EXAMPLE = DELAY_UP_TO + "2s";
  private static final List<String> KEYS =
      List.of(
          "name",
          "match",
          "except",
          "subject",
          "missing",
          "allow",
          "deny",
          "tier",
          "limits",
          "overrides",
          "cost",
          "on-outage",
          "count",
          "on-denial",
          "enabled");

  private static final Map<String, OnDenial> ON_DENIAL = new LinkedHashMap<>();

  static {
    ON_DENIAL.put("reject", OnDenial.REJECT);
    ON_DENIAL.put("shadow", OnDenial.SHADOW);
    ON_DENIAL.put("degrade", OnDenial.DEGRADE);
  }

  private final ClientPolicyReader policies;
  private final SubjectReader subjects;
  private final MatchOptions paths;
  private final OnOutage onOutage;

  private final Set<String> names = new HashSet<>();
  private final List<Rule> rules = new ArrayList<>();
  private final Set<String> disabled = new HashSet<>();

  /**
   * @param onOutage the default for rules that do not set it
   */
  RulesReader(
      ClientPolicyReader policies, SubjectReader subjects, MatchOptions paths, OnOutage onOutage) {
    this.policies = policies;
    this.subjects = subjects;
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

  /** Returns the enabled rules. */
  List<Rule> rules() {
    return List.copyOf(rules);
  }

  /** Returns the names of the disabled rules. */
  Set<String> disabled() {
    return Set.copyOf(disabled);
  }

  void readRule(Value item) {
    item.section(EXPECTED, KEYS).ifPresent(rule -> readRule(item, rule));
  }

  private void readRule(Value item, Section rule) {
    String name = name(rule).orElse("unnamed");
    boolean isEnabled = rule.flag("enabled", true);
    Optional<RequestMatcher> match = match(rule);
    Optional<SubjectResolver> subject = subjects.read(rule);
    Optional<ClientPolicy> policy = policies.read(rule, name);
    List<NamedLimit> limits = policy.map(ClientPolicyReader::limits).orElse(List.of());
    Optional<Cost> cost = new CostReader(limits).read(rule);
    OnOutage outage = rule.oneOf("on-outage", onOutage);
    Handling handling = handling(rule);
    if (subject.isEmpty() || cost.isEmpty() || policy.isEmpty()) {
      return;
    }
    Optional<Rule> made =
        item.make(
            () ->
                new Rule(
                    name,
                    match,
                    subject.get(),
                    limits,
                    cost.get(),
                    outage,
                    handling,
                    policy.get()));
    if (isEnabled) {
      made.filter(it -> isApart(it, rules, item)).ifPresent(rules::add);
    } else {
      disabled.add(name);
    }
  }

  /**
   * Returns whether the rule shares no limit between a shadow and a normal rule. Otherwise it
   * reports a problem.
   */
  static boolean isApart(Rule rule, List<Rule> others, Value value) {
    for (Rule other : others) {
      Optional<String> shared = RuleChecks.sharedLimit(rule, other);
      if (shared.isPresent()) {
        value.problem(
            "limit "
                + Redacted.quoted(shared.get())
                + " as of rule "
                + Redacted.quoted(other.name()),
            "a limit of its own, for one of the two rules is a shadow and the other is not");
        return false;
      }
    }
    return true;
  }

  private Optional<String> name(Section rule) {
    Optional<Value> value = rule.required("name", NAME);
    Optional<String> name = value.flatMap(v -> v.parsed(NAME, RulesReader::validName));
    if (name.isPresent() && !names.add(name.get())) {
      value.get().problem(value.get().found(), "a name that no other rule has");
    }
    return name;
  }

  private static String validName(String name) {
    Counter.validateName(name);
    return name;
  }

  /**
   * Reads the patterns. The result is empty for a rule that only annotations use, or when there is
   * a problem.
   */
  private Optional<RequestMatcher> match(Section rule) {
    Optional<Value> match = rule.required("match", MATCH);
    Optional<Value> except = rule.value("except");
    if (match.isEmpty()) {
      return Optional.empty();
    }
    if (match.get().isText(ANNOTATIONS)) {
      except.ifPresent(
          value -> value.problem(value.found(), "no except together with 'match: annotations'"));
      return Optional.empty();
    }
    List<String> patterns = patterns(match, this::validMatch);
    List<String> holes = patterns(except);
    return patterns.isEmpty()
        ? Optional.empty()
        : except.orElse(match.get()).check(() -> RequestMatcher.parse(patterns, holes, paths));
  }

  /** Returns the well-formed patterns. Each problem is reported at its own item. */
  List<String> patterns(Optional<Value> value) {
    return patterns(value, this::validPattern);
  }

  private static List<String> patterns(Optional<Value> value, UnaryOperator<String> valid) {
    List<String> patterns = new ArrayList<>();
    for (Value item : value.map(v -> v.items(PATTERN)).orElse(List.of())) {
      item.parsed(PATTERN, valid).ifPresent(patterns::add);
    }
    return patterns;
  }

  private String validMatch(String pattern) {
    if (pattern.equals(ANNOTATIONS)) {
      throw Expect.failure("match", pattern, "'annotations' alone, or patterns alone");
    }
    if (!pattern.contains("/") && Spelling.nearest(pattern, List.of(ANNOTATIONS)).isPresent()) {
      throw Expect.failure("match", pattern, MATCH, Optional.of(ANNOTATIONS));
    }
    return validPattern(pattern);
  }

  private String validPattern(String pattern) {
    RequestMatcher.parse(List.of(pattern), List.of(), paths);
    return pattern;
  }

  /** Reads the statuses that count, and the action on denial. */
  private static Handling handling(Section rule) {
    return new Handling(
        rule.value("count").map(RulesReader::statuses).orElse(Handling.DEFAULT.counted()),
        rule.value("on-denial").flatMap(RulesReader::onDenial).orElse(Handling.DEFAULT.onDenial()));
  }

  /** Returns the well-formed statuses. Each problem is reported at its own item. */
  private static Statuses statuses(Value value) {
    List<Statuses.Range> ranges = new ArrayList<>();
    for (Value item : value.items(STATUSES)) {
      item.parsed(STATUSES, text -> Statuses.parse(List.of(text)))
          .ifPresent(parsed -> ranges.addAll(parsed.ranges()));
    }
    return new Statuses(ranges);
  }

  private static Optional<OnDenial> onDenial(Value value) {
    String expected =
        String.join(", ", ON_DENIAL.keySet()) + ", degrade to /path, " + DELAY_EXAMPLE;
    Optional<String> text = value.text(expected);
    if (text.filter(it -> it.startsWith(DEGRADE_TO)).isPresent()) {
      String path = text.get().substring(DEGRADE_TO.length()).strip();
      return value.parsed(expected, whole -> OnDenial.degradeTo(path));
    }
    if (text.filter(it -> it.startsWith(DELAY_UP_TO)).isPresent()) {
      String time = text.get().substring(DELAY_UP_TO.length()).strip();
      return value.duration(time).flatMap(wait -> value.make(() -> OnDenial.delayUpTo(wait)));
    }
    Optional<OnDenial> chosen = text.map(ON_DENIAL::get);
    if (text.isPresent() && chosen.isEmpty()) {
      value.problem(value.found(), expected, nearestOnDenial(text.get()));
    }
    return chosen;
  }

  private static Optional<String> nearestOnDenial(String found) {
    return found.startsWith("delay")
        ? Optional.of(DELAY_EXAMPLE)
        : Spelling.nearest(found, ON_DENIAL.keySet());
  }
}
