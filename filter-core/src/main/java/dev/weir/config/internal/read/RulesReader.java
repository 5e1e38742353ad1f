package dev.weir.config.internal.read;

import dev.weir.Counter;
import dev.weir.OnOutage;
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
import dev.weir.http.SubjectFunction;
import dev.weir.http.SubjectResolver;
import dev.weir.http.SubjectResolver.Missing;
import dev.weir.http.internal.check.RuleChecks;
import dev.weir.internal.Expect;
import dev.weir.internal.Redaction;
import dev.weir.internal.Spelling;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

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
  private static final String SUBJECT =
      "ip, header:NAME, query:NAME, cookie:NAME, principal, host, path, method, global, a list of"
          + " these, or a class";
  private static final List<String> SUBJECTS =
      List.of("ip", "header", "query", "cookie", "principal", "host", "path", "method", "global");
  private static final String STATUSES = "a status such as 401 or a class such as 4xx, or a list";
  private static final String DEGRADE_TO = "degrade to ";
  private static final String DELAY_UP_TO = "delay up to ";
  private static final String DELAY_EXAMPLE = DELAY_UP_TO + "2s";
  private static final List<String> KEYS =
      List.of(
          ("name match except subject missing allow deny tier limits overrides cost on-outage count"
                  + " on-denial enabled")
              .split(" ", -1));

  /** The names of these settings in other software. */
  private static final Map<String, String> HINTS =
      Map.ofEntries(
          Map.entry("methods", "the methods in match, as in match: 'POST /login'"),
          Map.entry("method", "the method in match, as in match: 'POST /login'"),
          Map.entry("path", "match: " + PATTERN),
          Map.entry("paths", "match: " + PATTERN),
          Map.entry("url", "match: " + PATTERN),
          Map.entry("by", "subject: ip, or another part"),
          Map.entry("key", "subject: header:X-API-Key, or another part"));

  /** What other software calls a part of the subject. */
  private static final Map<String, String> PARTS =
      Map.of("user", "principal", "username", "principal");

  /** A header that is written without its colon, or with a blank behind it. */
  private static final Pattern NAMED =
      Pattern.compile("(?<kind>header|query|cookie)\\s*[:=\\s]\\s*(?<name>[A-Za-z0-9_.-]+)");

  private static final Pattern HEADER = Pattern.compile("[Xx]-[A-Za-z0-9-]+");
  private static final Pattern STATUS_CLASS = Pattern.compile("([1-5])(XX|00-\\1?99)");

  private static final List<String> ON_DENIAL = List.of("reject", "shadow", "degrade");

  private final LimitsReader limitsReader;
  private final ClientPolicyReader policies;
  private final MatchOptions paths;
  private final OnOutage onOutage;

  private final Set<String> names = new HashSet<>();
  private final List<Rule> rules = new ArrayList<>();
  private final Set<String> disabled = new HashSet<>();

  /**
   * @param onOutage the default for rules that do not set it
   */
  RulesReader(
      LimitsReader limits,
      TiersReader tiers,
      KeyFileReader files,
      MatchOptions paths,
      OnOutage onOutage) {
    this.limitsReader = limits;
    this.policies = new ClientPolicyReader(limits, tiers, files);
    this.paths = paths;
    this.onOutage = onOutage;
  }

  void read(Section top) {
    Optional<Value> list = top.value("rules");
    if (list.filter(Value::isMapping).isPresent()) {
      list.get().refuse(EXPECTED);
      return;
    }
    list.map(value -> value.items(EXPECTED)).orElse(List.of()).forEach(this::readRule);
  }

  List<Rule> rules() {
    return List.copyOf(rules);
  }

  Set<String> disabled() {
    return Set.copyOf(disabled);
  }

  void readRule(Value item) {
    item.section(EXPECTED, KEYS, HINTS).ifPresent(rule -> readRule(item, rule));
  }

  private void readRule(Value item, Section rule) {
    String name = name(rule).orElse("unnamed");
    boolean isEnabled = rule.flag("enabled", true);
    Optional<RequestMatcher> match = match(rule);
    Optional<SubjectResolver> subject = subject(rule);
    Optional<ClientPolicy> policy = policies.read(rule, name);
    List<NamedLimit> limits = policy.map(ClientPolicyReader::limits).orElse(List.of());
    Optional<Cost> cost = new CostReader(limits).read(rule);
    cost.filter(Cost.ONE::equals).ifPresent(one -> refuseBytes(rule, limits));
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

  /** Refuses limits in bytes where each request would cost one byte. */
  private void refuseBytes(Section rule, List<NamedLimit> limits) {
    limits.stream()
        .map(NamedLimit::name)
        .filter(limitsReader.inBytes()::contains)
        .findFirst()
        .ifPresent(
            name ->
                Stream.of("limits", "overrides", "tier")
                    .flatMap(key -> rule.value(key).stream())
                    .findFirst()
                    .ifPresent(
                        value ->
                            value.problem(
                                "limit " + Redaction.quoted(name) + " in bytes, with a cost of 1",
                                "'cost: response bytes' in the rule, or a limit without sizes")));
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
            "limit %s as of rule %s"
                .formatted(Redaction.quoted(shared.get()), Redaction.quoted(other.name())),
            "a limit of its own, for one of the two rules is a shadow and the other is not");
        return false;
      }
    }
    return true;
  }

  private Optional<String> name(Section rule) {
    Optional<Value> value = rule.required("name", NAME);
    Optional<String> name = value.flatMap(v -> v.checked(NAME, Counter::validateName));
    if (name.isPresent() && !names.add(name.get())) {
      value.get().refuse("a name that no other rule has");
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
      except.ifPresent(value -> value.refuse("no except together with 'match: annotations'"));
      return Optional.empty();
    }
    List<String> patterns = match.get().each(PATTERN, this::validMatch);
    List<String> holes = patterns(except);
    return patterns.isEmpty()
        ? Optional.empty()
        : except.orElse(match.get()).check(() -> RequestMatcher.parse(patterns, holes, paths));
  }

  List<String> patterns(Optional<Value> value) {
    return value.map(v -> v.each(PATTERN, this::validPattern)).orElse(List.of());
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

  /** Reads the subject, by default the address: a part, a list of parts, or a class of the user. */
  private Optional<SubjectResolver> subject(Section rule) {
    Missing missing = rule.oneOf("missing", Missing.IP);
    SubjectResolver address = SubjectResolver.parse(List.of("ip"), missing);
    return rule.read("subject", address, subject -> subject(subject, missing));
  }

  private Optional<SubjectResolver> subject(Value subject, Missing missing) {
    if (subject.isMapping()) {
      return subject.refuse(SUBJECT + ", without a blank in it, as in header:X-API-Key");
    }
    List<Value> items = subject.items(SUBJECT);
    List<SubjectResolver> parts =
        items.stream().flatMap(item -> part(item, missing).stream()).toList();
    return parts.isEmpty() || parts.size() < items.size()
        ? Optional.empty()
        : subject.make(() -> parts.stream().reduce(SubjectResolver::and).orElseThrow());
  }

  private Optional<SubjectResolver> part(Value item, Missing missing) {
    Optional<String> text = item.text(SUBJECT);
    if (text.isEmpty()) {
      return Optional.empty();
    }
    return item.isClassName()
        ? item.instance(SUBJECT, SubjectFunction.class)
            .map(function -> SubjectResolver.of(text.get(), function, missing))
        : item.parsed(
            SUBJECT,
            part -> SubjectResolver.parse(List.of(part), missing),
            RulesReader::nearestSubject);
  }

  /**
   * Suggests a spelling. Only the kind before the colon can be misspelt, since the client chooses
   * the name after it.
   */
  private static Optional<String> nearestSubject(String part) {
    Matcher named = NAMED.matcher(part);
    if (part.contains(",")) {
      return Optional.of("[" + String.join(", ", part.split("\\s*,\\s*")) + "]");
    }
    if (named.matches()) {
      return Optional.of(named.group("kind") + ":" + named.group("name"));
    }
    if (HEADER.matcher(part).matches()) {
      return Optional.of("header:" + part);
    }
    if (PARTS.containsKey(part)) {
      return Optional.of(PARTS.get(part));
    }
    int colon = part.indexOf(':');
    return colon < 0
        ? Spelling.nearest(part, SUBJECTS)
        : Spelling.nearest(part.substring(0, colon), SUBJECTS)
            .map(kind -> kind + part.substring(colon));
  }

  private static Handling handling(Section rule) {
    return new Handling(
        rule.value("count").map(RulesReader::statuses).orElse(Handling.DEFAULT.counted()),
        rule.value("on-denial").flatMap(RulesReader::onDenial).orElse(Handling.DEFAULT.onDenial()));
  }

  private static Statuses statuses(Value value) {
    return new Statuses(
        value.items(STATUSES).stream()
            .flatMap(item -> status(item).stream())
            .flatMap(parsed -> parsed.ranges().stream())
            .toList());
  }

  private static Optional<Statuses> status(Value item) {
    return item.parsed(
        STATUSES, text -> Statuses.parse(List.of(text)), RulesReader::nearestStatuses);
  }

  /** Translates a list without brackets, a range of all codes of a class, and capital letters. */
  private static Optional<String> nearestStatuses(String text) {
    if (text.contains(",")) {
      return Optional.of("[" + String.join(", ", text.split("\\s*,\\s*")) + "]");
    }
    Matcher statuses = STATUS_CLASS.matcher(text);
    return statuses.matches() ? Optional.of(statuses.group(1) + "xx") : Optional.empty();
  }

  private static Optional<OnDenial> onDenial(Value value) {
    String expected = String.join(", ", ON_DENIAL) + ", degrade to /path, " + DELAY_EXAMPLE;
    return value.text(expected).flatMap(found -> onDenial(value, found, expected));
  }

  private static Optional<OnDenial> onDenial(Value value, String found, String expected) {
    if (found.startsWith(DEGRADE_TO)) {
      String path = found.substring(DEGRADE_TO.length()).strip();
      return value.parsed(expected, whole -> OnDenial.degradeTo(path));
    }
    if (found.startsWith(DELAY_UP_TO)) {
      return value
          .duration(found.substring(DELAY_UP_TO.length()).strip())
          .flatMap(wait -> value.make(() -> OnDenial.delayUpTo(wait)));
    }
    return switch (found) {
      case "reject" -> Optional.of(OnDenial.REJECT);
      case "shadow" -> Optional.of(OnDenial.SHADOW);
      case "degrade" -> Optional.of(OnDenial.DEGRADE);
      default -> {
        boolean isDelay = found.startsWith("delay");
        value.problem(
            value.found(),
            expected,
            isDelay ? Optional.of(DELAY_EXAMPLE) : Spelling.nearest(found, ON_DENIAL));
        yield Optional.empty();
      }
    };
  }
}
