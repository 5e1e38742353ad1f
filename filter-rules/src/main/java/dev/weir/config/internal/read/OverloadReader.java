package dev.weir.config.internal.read;

import dev.weir.config.internal.document.Section;
import dev.weir.config.internal.document.Value;
import dev.weir.config.internal.key.Key;
import dev.weir.config.internal.key.KeyGroup;
import dev.weir.config.internal.key.ValueType;
import dev.weir.http.Overload;
import dev.weir.http.RequestMatcher;
import dev.weir.http.Rule;
import dev.weir.internal.Expect;
import dev.weir.internal.Redaction;
import dev.weir.internal.Spelling;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Reads how many requests a node takes at once, and for which rules it reserves capacity. */
record OverloadReader(RequestMatcher.MatchOptions paths, RulesReader rules) {

  private static final String SHARE = "a share in percent, such as 20%";
  private static final Pattern PERCENT = Pattern.compile("([0-9]{1,3})\\s*%");
  private static final int START = 20;
  private static final int LEAST = 5;
  private static final int MOST = 200;

  private static final ValueType.Whole REQUESTS = new ValueType.Whole(1, Overload.MOST_REQUESTS);

  private static final Key<Integer> FROM_NUMBER =
      Key.of("from", REQUESTS, "5")
          .means("The least number that it may become.")
          .otherwise(LEAST + ", or `to` if that is less");

  private static final Key<Integer> TO_NUMBER =
      Key.of("to", REQUESTS, "200")
          .means("The largest number that it may become.")
          .otherwise(MOST + ", or `from` if that is more");

  private static final Key<Integer> START_NUMBER =
      Key.of("start", REQUESTS, "20")
          .means("The number at the start.")
          .otherwise(START + ", within `from` and `to`");

  private static final KeyGroup NUMBER_KEYS =
      KeyGroup.of(
          "numbers such as { start: 20, from: 5, to: 200 }", START_NUMBER, FROM_NUMBER, TO_NUMBER);

  private static final Key<Section> IN_FLIGHT =
      Key.of("in-flight", new ValueType.Mapping(NUMBER_KEYS), "{ start: 20, from: 5, to: 200 }")
          .means(
              "How many requests the node takes at once. The number follows how fast they are"
                  + " served.")
          .otherwise("as its keys say");

  private static final Key<Value> EXCEPT =
      Key.of("except", RulesReader.PATTERNS, "[/health]")
          .means("Paths within the application that are neither counted nor shed.");

  private static final Key<Section> RESERVED =
      Key.of(
              "reserved",
              new ValueType.ByName(
                  "shares by rule, such as { checkout: 20% }", new ValueType.Form(SHARE, PERCENT)),
              "{ checkout: 20% }")
          .means(
              "The share of the number, from 1% to 99%, that is there for the requests of a rule.");

  private static final KeyGroup KEYS =
      KeyGroup.of("a map with in-flight, except and reserved", IN_FLIGHT, EXCEPT, RESERVED);

  static final Key<Section> OVERLOAD =
      Key.of(
              "overload",
              new ValueType.Mapping(KEYS),
              "{ in-flight: { from: 5, to: 200 }, except: [/health] }")
          .means("How many requests a node takes at once. Others get 503.")
          .otherwise("it takes all");

  Optional<Overload> read(Section top) {
    return OVERLOAD.in(top).flatMap(this::overload);
  }

  private Optional<Overload> overload(Section map) {
    Section numbers = Key.section(IN_FLIGHT, map);
    Optional<Integer> most = TO_NUMBER.in(numbers);
    int from = FROM_NUMBER.in(numbers).orElse(Math.min(LEAST, most.orElse(MOST)));
    int to = most.orElse(Math.max(MOST, from));
    int start = START_NUMBER.in(numbers).orElse(Math.max(from, Math.min(START, to)));
    List<String> except = rules.patterns(EXCEPT.in(map));
    Map<String, Integer> reserved = reserved(map);
    return map.make(
        () ->
            new Overload(
                start, from, to, RequestMatcher.parse(List.of("/**"), except, paths), reserved));
  }

  /** Reads the reserved shares. A disabled rule reserves nothing. */
  private Map<String, Integer> reserved(Section map) {
    Map<String, Integer> reserved = new TreeMap<>();
    Key.section(RESERVED, map)
        .forEach(
            (rule, share) -> {
              Optional<Integer> percent = share.parsed(SHARE, OverloadReader::percent);
              if (isMatching(rule, share)) {
                percent.ifPresent(it -> reserved.put(rule, it));
              }
            });
    return reserved;
  }

  private boolean isMatching(String name, Value share) {
    List<String> known =
        rules.rules().stream().filter(rule -> rule.match().isPresent()).map(Rule::name).toList();
    if (known.contains(name)) {
      return true;
    }
    if (!rules.disabled().contains(name)) {
      share.problem(
          "a share of rule " + Redaction.quoted(name),
          "the name of a rule that has a match",
          Spelling.nearest(name, known));
    }
    return false;
  }

  private static int percent(String text) {
    Matcher percent = PERCENT.matcher(text);
    if (!percent.matches()) {
      throw Expect.failure("share", "'" + text + "'", SHARE);
    }
    return Integer.parseInt(percent.group(1));
  }
}
