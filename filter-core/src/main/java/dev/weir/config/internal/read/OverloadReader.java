package dev.weir.config.internal.read;

import dev.weir.config.internal.document.Section;
import dev.weir.config.internal.document.Value;
import dev.weir.http.Overload;
import dev.weir.http.RequestMatcher;
import dev.weir.http.RequestMatcher.MatchOptions;
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

/**
 * Reads how many requests a node takes at once, and for which rules it reserves capacity.
 *
 * @param rules that were read before
 */
record OverloadReader(MatchOptions paths, RulesReader rules) {

  private static final String EXPECTED = "a map with in-flight, except and reserved";
  private static final String NUMBERS = "numbers such as { start: 20, from: 5, to: 200 }";
  private static final String SHARES = "shares by rule, such as { checkout: 20% }";
  private static final String SHARE = "a share in percent, such as 20%";
  private static final Pattern PERCENT = Pattern.compile("([0-9]{1,3})\\s*%");
  private static final int START = 20;
  private static final int LEAST = 5;
  private static final int MOST = 200;

  Optional<Overload> read(Section top) {
    return top.value("overload")
        .flatMap(
            value ->
                value
                    .section(EXPECTED, List.of("in-flight", "except", "reserved"))
                    .flatMap(map -> overload(value, map)));
  }

  private Optional<Overload> overload(Value value, Section map) {
    Section numbers = map.section("in-flight", NUMBERS, List.of("start", "from", "to"));
    Optional<Integer> most = numbers.whole("to", 1, Overload.MOST_REQUESTS);
    int from =
        numbers.whole("from", 1, Overload.MOST_REQUESTS).orElse(Math.min(LEAST, most.orElse(MOST)));
    int to = most.orElse(Math.max(MOST, from));
    int start =
        numbers
            .whole("start", 1, Overload.MOST_REQUESTS)
            .orElse(Math.max(from, Math.min(START, to)));
    List<String> except = rules.patterns(map.value("except"));
    Map<String, Integer> reserved = reserved(map);
    return value.make(
        () ->
            new Overload(
                start, from, to, RequestMatcher.parse(List.of("/**"), except, paths), reserved));
  }

  /** Reads the reserved shares. A disabled rule reserves nothing. */
  private Map<String, Integer> reserved(Section map) {
    Map<String, Integer> reserved = new TreeMap<>();
    Optional<Section> shares = map.value("reserved").flatMap(value -> value.names(SHARES));
    for (Map.Entry<String, Value> share : shares.map(Section::entries).orElse(List.of())) {
      Optional<Integer> percent = share.getValue().parsed(SHARE, OverloadReader::percent);
      if (isMatching(share.getKey(), share.getValue())) {
        percent.ifPresent(it -> reserved.put(share.getKey(), it));
      }
    }
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
