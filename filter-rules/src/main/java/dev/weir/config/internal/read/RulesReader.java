package dev.weir.config.internal.read;

import dev.weir.config.internal.document.Mistakes;
import dev.weir.config.internal.document.Section;
import dev.weir.config.internal.document.Value;
import dev.weir.config.internal.key.Forms;
import dev.weir.config.internal.key.Key;
import dev.weir.config.internal.key.KeyGroup;
import dev.weir.config.internal.key.ValueType;
import dev.weir.http.ClientPolicy;
import dev.weir.http.Cost;
import dev.weir.http.CountedResponses;
import dev.weir.http.DenialResponse;
import dev.weir.http.OnDenial;
import dev.weir.http.OnDenial.Ban;
import dev.weir.http.RequestMatcher;
import dev.weir.http.RequestMatcher.MatchOptions;
import dev.weir.http.Rule;
import dev.weir.http.Rule.NamedLimit;
import dev.weir.http.SubjectResolver;
import dev.weir.http.internal.check.RuleChecks;
import dev.weir.internal.Expect;
import dev.weir.internal.Redaction;
import dev.weir.internal.Spelling;
import dev.weir.store.Counter;
import dev.weir.store.OnOutage;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
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
  private static final String DEGRADE_TO = "degrade to ";
  private static final String DELAY_UP_TO = "delay up to ";
  private static final String DELAY_EXAMPLE = DELAY_UP_TO + "2s";

  /** The names of these settings in other software. */
  private static final Map<String, String> HINTS =
      Map.ofEntries(
          Map.entry("methods", "the methods in match, as in match: 'POST /login'"),
          Map.entry("method", "the method in match, as in match: 'POST /login'"),
          Map.entry("path", "match: " + PATTERN),
          Map.entry("paths", "match: " + PATTERN),
          Map.entry("url", "match: " + PATTERN),
          Map.entry("by", "subject: ip, or another part"),
          Map.entry("schedule", "when: Mon-Fri 07:00-19:00 Europe/Berlin"),
          Map.entry("hours", "when: Mon-Fri 07:00-19:00 Europe/Berlin"),
          Map.entry("days", "when: Mon-Fri 07:00-19:00 Europe/Berlin"),
          Map.entry("key", "subject: header:X-API-Key, or another part"));

  private static final List<String> ON_DENIAL = List.of("reject", "shadow", "degrade");

  /** A pattern, and the word for none. */
  private static final Pattern PATTERN_FORM =
      Pattern.compile(ANNOTATIONS + "|([A-Z-]+(\\s*,\\s*[A-Z-]+)*\\s+)?(/\\S*|\\*\\.[^\\s./]+)");

  /**
   * In a param, the comma of {@code GET,POST /a} separates methods: one that ends a pattern follows
   * a path.
   */
  static final ValueType.Items PATTERNS =
      new ValueType.Items(
          PATTERN,
          new ValueType.Form(PATTERN, PATTERN_FORM),
          "(?<=(/|\\*\\.)[^,\\s]{0,999})\\s*,|\\R");

  private static final Key<String> NAME_KEY =
      Key.ofParam("name", new ValueType.Text(NAME, Forms.NAME, Counter::validateName), "login")
          .means(
              "The rule's name, which no other rule has. It is in logs and metrics, and names its"
                  + " limits in place.")
          .otherwise("of init-params, the filter's name");

  private static final Key<Value> MATCH_KEY =
      Key.ofParam("match", PATTERNS, "[POST /login, /api/**]")
          .means(
              "The requests of the rule: paths within the application, with methods or `//host` before"
                  + " them. `annotations` is for a rule that only `@RateLimited` uses.")
          .otherwise("of init-params, `/**`");

  private static final Key<Value> EXCEPT =
      Key.ofParam("except", PATTERNS, "[/health]")
          .means("Requests that `match` has and the rule has not, without `//host`.");

  private static final Key<OnOutage> ON_OUTAGE =
      Key.of("on-outage", new ValueType.Choice<>(OnOutage.class), "deny")
          .means("What decides while Redis does not answer.")
          .otherwise("as at the top");

  private static final Key<Value> ON_DENIAL_KEY =
      Key.ofParam(
              "on-denial",
              new ValueType.Form(
                  "reject, shadow, degrade, degrade to /path, " + DELAY_EXAMPLE,
                  "reject|shadow|degrade|degrade to\\s+/\\S*|delay up to\\s+" + Forms.LENGTH),
              DELAY_EXAMPLE)
          .means("What becomes of a denied request. A delay is ten minutes at most.")
          .otherwise("`reject`");

  private static final Key.Defaulted<Boolean> ENABLED =
      Key.ofParam("enabled", ValueType.Flag.TRUE_OR_FALSE, "false")
          .means("Whether the rule holds. It is checked in any case.")
          .or(true);

  static final KeyGroup KEYS =
      KeyGroup.of(
              EXPECTED,
              NAME_KEY,
              MATCH_KEY,
              EXCEPT,
              WhenReader.WHEN,
              SubjectReader.SUBJECT,
              SubjectReader.MISSING,
              ClientPolicyReader.ALLOW,
              ClientPolicyReader.DENY,
              TiersReader.OF_RULE,
              ClientPolicyReader.RULE_LIMITS,
              ClientPolicyReader.OVERRIDES_OF_RULE,
              CostReader.COST,
              ON_OUTAGE,
              CountReader.COUNT,
              ON_DENIAL_KEY,
              DeniedReader.OF_RULE,
              BanReader.BAN,
              ENABLED)
          .requiring(NAME_KEY, MATCH_KEY)
          .withHints(HINTS);

  static final Key<Value> RULES =
      Key.of(
              "rules",
              new ValueType.Items(EXPECTED, new ValueType.Mapping(KEYS)),
              "[{ name: login, match: POST /login, subject: ip, limits: [login] }]")
          .means("The rules. All that match a request hold.");

  private final LimitsReader limitsReader;
  private final ClientPolicyReader policies;
  private final MatchOptions paths;
  private final OnOutage onOutage;
  private final DenialResponse denied;

  private final Set<String> names = new HashSet<>();
  private final List<Rule> rules = new ArrayList<>();
  private final Set<String> disabled = new HashSet<>();

  RulesReader(
      LimitsReader limits,
      TiersReader tiers,
      KeyFileReader files,
      MatchOptions paths,
      OnOutage onOutage,
      DenialResponse denied) {
    this.limitsReader = limits;
    this.policies = new ClientPolicyReader(limits, tiers, files);
    this.paths = paths;
    this.onOutage = onOutage;
    this.denied = denied;
  }

  void read(Section top) {
    Optional<Value> list = RULES.in(top);
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
    Optional<Section> read = KEYS.read(item);
    if (read.isEmpty()) {
      return;
    }
    Section rule = read.get();
    String name = name(rule).orElse("unnamed");
    boolean isEnabled = ENABLED.orDefault(rule);
    Optional<RequestMatcher> match = match(rule);
    String[] when = WhenReader.read(rule);
    Optional<SubjectResolver> subject = SubjectReader.read(rule);
    Optional<ClientPolicy> policy = policies.read(rule, name);
    List<NamedLimit> limits = policy.map(ClientPolicyReader::limits).orElse(List.of());
    Optional<Cost> cost = new CostReader(limits).read(rule);
    cost.filter(Cost.ONE::equals).ifPresent(one -> refuseBytes(rule, limits));
    OnOutage outage = ON_OUTAGE.in(rule).orElse(onOutage);
    CountedResponses counted = CountReader.read(rule);
    OnDenial onDenial =
        DeniedReader.ofRule(
            rule,
            ON_DENIAL_KEY.in(rule).flatMap(RulesReader::onDenial).orElse(OnDenial.REJECT),
            denied);
    Optional<Ban> ban = BanReader.read(rule);
    boolean isMatchUnknown =
        match.isEmpty() && MATCH_KEY.in(rule).filter(it -> it.isText(ANNOTATIONS)).isEmpty();
    if (subject.isEmpty() || cost.isEmpty() || policy.isEmpty() || isMatchUnknown) {
      item.leaveOut(Redaction.quoted(name));
      return;
    }
    Optional<Rule> made =
        item.make(
            () -> {
              Rule.Builder builder =
                  Rule.builder(name)
                      .when(when)
                      .subject(subject.get())
                      .limits(limits)
                      .cost(cost.get())
                      .counted(counted)
                      .onDenial(onDenial)
                      .onOutage(outage)
                      .clients(policy.get());
              match.ifPresent(builder::match);
              return builder.build();
            });
    Optional<Rule> whole = made.flatMap(it -> BanReader.banning(it, ban, rule));
    if (isEnabled) {
      whole.filter(it -> isApart(it, rules, item)).ifPresent(rules::add);
    } else {
      disabled.add(name);
    }
  }

  /** Refuses limits in bytes where each request would cost one byte. */
  private void refuseBytes(Section rule, List<NamedLimit> limits) {
    Optional<String> inBytes =
        limits.stream().map(NamedLimit::name).filter(limitsReader.inBytes()::contains).findFirst();
    Optional<Value> place =
        Stream.of("limits", "overrides", "tier")
            .flatMap(key -> rule.value(key).stream())
            .findFirst();
    if (inBytes.isPresent() && place.isPresent()) {
      place
          .get()
          .problem(
              "limit " + Redaction.quoted(inBytes.get()) + " in bytes, with a cost of 1",
              "'cost: response bytes' or 'cost: request bytes' in the rule, or a limit without sizes");
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
            "limit %s as of rule %s"
                .formatted(Redaction.quoted(shared.get()), Redaction.quoted(other.name())),
            "a limit of its own, for one of the two rules is a shadow and the other is not");
        return false;
      }
    }
    return true;
  }

  private Optional<String> name(Section rule) {
    Optional<Value> value = NAME_KEY.required(rule, NAME);
    Optional<String> name = NAME_KEY.in(rule);
    if (name.isPresent() && !names.add(name.get())) {
      value.ifPresent(written -> written.refuse("a name that no other rule has"));
    }
    return name;
  }

  /**
   * Reads the patterns. The result is empty for a rule that only annotations use, or when there is
   * a problem.
   */
  private Optional<RequestMatcher> match(Section rule) {
    Optional<Value> match = MATCH_KEY.required(rule, MATCH);
    Optional<Value> except = EXCEPT.in(rule);
    if (match.isEmpty()) {
      return Optional.empty();
    }
    if (match.get().isText(ANNOTATIONS)) {
      except.ifPresent(value -> value.refuse("no except together with 'match: annotations'"));
      return Optional.empty();
    }
    List<String> patterns = match.get().each(PATTERN, this::validMatch);
    List<String> exceptions = patterns(except);
    return patterns.isEmpty()
        ? Optional.empty()
        : except.orElse(match.get()).check(() -> RequestMatcher.parse(patterns, exceptions, paths));
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

  private static Optional<OnDenial> onDenial(Value value) {
    String expected = String.join(", ", ON_DENIAL) + ", degrade to /path, " + DELAY_EXAMPLE;
    Optional<String> text = value.text(expected);
    if (text.isEmpty()) {
      return Optional.empty();
    }
    String found = text.get();
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
        value.problem(
            value.found(),
            expected,
            Mistakes.ON_DENIAL.meant(found).or(() -> Spelling.nearest(found, ON_DENIAL)));
        yield Optional.empty();
      }
    };
  }
}
