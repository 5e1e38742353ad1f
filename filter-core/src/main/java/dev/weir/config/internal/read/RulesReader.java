package dev.weir.config.internal.read;

import dev.weir.Counter;
import dev.weir.OnOutage;
import dev.weir.config.internal.document.Choices;
import dev.weir.config.internal.document.Redacted;
import dev.weir.config.internal.document.Section;
import dev.weir.config.internal.document.Value;
import dev.weir.http.Cost;
import dev.weir.http.Handling;
import dev.weir.http.MatchOptions;
import dev.weir.http.NamedLimit;
import dev.weir.http.RequestMatcher;
import dev.weir.http.Rule;
import dev.weir.http.SubjectResolver;
import dev.weir.http.internal.check.RuleChecks;
import dev.weir.internal.Spelling;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.UnaryOperator;

/** Reads the rules, in their order. */
final class RulesReader {

  /** The word that replaces patterns in a rule that only annotations use. */
  static final String ANNOTATIONS = "annotations";

  private static final String EXPECTED =
      "a list of rules, each with name, match, subject and limits";
  private static final String MATCH =
      "a path pattern such as /api/**, or 'annotations' for a rule that only @RateLimited uses";
  private static final String EXCEPT_FIELD = "except ";
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
          "tier",
          "limits",
          "overrides",
          "cost",
          "on-outage",
          "count",
          "on-denial",
          "enabled");

  private final RuleLimitsReader limits;
  private final SubjectReader subjects;
  private final MatchOptions paths;
  private final OnOutage onOutage;

  private final Set<String> names = new HashSet<>();
  private final List<Rule> rules = new ArrayList<>();
  private final Set<String> disabled = new HashSet<>();

  RulesReader(
      RuleLimitsReader limits, SubjectReader subjects, MatchOptions paths, OnOutage onOutage) {
    this.limits = limits;
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
    Optional<Section> section = item.section(EXPECTED, KEYS);
    if (section.isEmpty()) {
      return;
    }
    Section rule = section.get();
    String name = name(rule).orElse("unnamed");
    boolean isEnabled = rule.value("enabled").flatMap(Value::flag).orElse(true);
    Optional<RequestMatcher> match = match(rule);
    Optional<SubjectResolver> subject = subjects.read(rule);
    Optional<RuleLimits> given = limits.read(rule, name);
    List<NamedLimit> all = given.map(RuleLimits::all).orElse(List.of());
    Optional<Cost> cost = CostReader.read(rule, all);
    OnOutage outage =
        rule.value("on-outage").flatMap(v -> v.oneOf(Choices.ON_OUTAGE)).orElse(onOutage);
    Handling handling = HandlingReader.read(rule);
    if (subject.isEmpty() || cost.isEmpty() || given.isEmpty()) {
      return;
    }
    Optional<Rule> made =
        item.making(
            EXPECTED,
            () ->
                new Rule(
                    name,
                    match,
                    subject.get(),
                    all,
                    cost.get(),
                    outage,
                    handling,
                    given.get().policy()));
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
        : except
            .map(value -> value.shownAs(RulesReader::withoutField))
            .orElse(match.get())
            .making(PATTERN, () -> RequestMatcher.parse(patterns, holes, paths));
  }

  private static String withoutField(String found) {
    return found.startsWith(EXCEPT_FIELD) ? found.substring(EXCEPT_FIELD.length()) : found;
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
      throw new IllegalArgumentException(
          "match: %s (expected: 'annotations' alone, or patterns alone)".formatted(pattern));
    }
    if (!pattern.contains("/") && Spelling.nearest(pattern, List.of(ANNOTATIONS)).isPresent()) {
      throw new IllegalArgumentException(
          "match: %s (expected: %s; did you mean '%s'?)".formatted(pattern, MATCH, ANNOTATIONS));
    }
    return validPattern(pattern);
  }

  private String validPattern(String pattern) {
    RequestMatcher.parse(List.of(pattern), List.of(), paths);
    return pattern;
  }
}
