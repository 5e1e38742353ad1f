package dev.weir.http;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.http.RequestMatcher.MatchOptions;
import dev.weir.http.internal.match.PatternParser;
import dev.weir.http.internal.match.RequestPattern;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.Random;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Patterns match as regular expressions made of them do, which are slow and simple. */
class PatternModelTest {

  private static final List<String> SEGMENTS = List.of("a", "b", "a.do", "b.js", ".do");
  private static final List<String> IN_PATTERNS = List.of("a", "b", "a.do", "*", "**", "**", "{x}");
  private static final List<String> LAST = List.of("a", "a.do", "*", "**", "*.do", "*.js");

  /** All paths of at most five segments. */
  private static final List<String> PATHS = paths(5);

  @Test
  void many_rules_together_match_as_each_of_them_alone() {
    Random random = new Random(31);
    for (int round = 0; round < 300; round++) {
      List<Rule> rules = new ArrayList<>();
      for (int i = 0; i < 12; i++) {
        rules.add(Rules.rule("r" + i, matcher(random), "ip", Rules.PLENTY));
      }
      for (int i = 0; i < 40; i++) {
        String path = path(random);
        List<String> expected =
            rules.stream()
                .filter(rule -> isMatched(rule.match().orElseThrow(), path))
                .map(Rule::name)
                .toList();
        assertThat(MatchingTest.names(rules, FakeRequest.get(path)))
            .as("%s by %s", path, rules.stream().map(Rule::match).toList())
            .isEqualTo(expected);
      }
    }
  }

  @Test
  void one_pattern_covers_or_meets_another_as_their_paths_say() {
    Random random = new Random(32);
    List<RequestPattern> patterns =
        Stream.generate(() -> pattern(random, 3))
            .distinct()
            .limit(90)
            .map(text -> PatternParser.parse("match", text))
            .toList();
    List<BitSet> matched = patterns.stream().map(PatternModelTest::matched).toList();
    int covered = 0;
    for (int i = 0; i < patterns.size(); i++) {
      for (int j = 0; j < patterns.size(); j++) {
        RequestPattern one = patterns.get(i);
        RequestPattern other = patterns.get(j);
        String both = one.text() + " and " + other.text();
        assertThat(one.meets(other)).as(both).isEqualTo(matched.get(i).intersects(matched.get(j)));
        if (one.covers(other)) {
          covered++;
          BitSet left = (BitSet) matched.get(j).clone();
          left.andNot(matched.get(i));
          assertThat(left.isEmpty()).as(both).isTrue();
        }
      }
    }
    assertThat(covered).isGreaterThan(2 * patterns.size());
  }

  private static BitSet matched(RequestPattern pattern) {
    Pattern regex = regex(pattern.text());
    BitSet matched = new BitSet();
    for (int i = 0; i < PATHS.size(); i++) {
      matched.set(i, regex.matcher(PATHS.get(i)).matches());
    }
    return matched;
  }

  private static List<String> paths(int depth) {
    List<String> all = new ArrayList<>(List.of(""));
    List<String> longest = all;
    for (int i = 0; i < depth; i++) {
      longest =
          longest.stream()
              .flatMap(path -> SEGMENTS.stream().map(segment -> path + "/" + segment))
              .toList();
      all.addAll(longest);
    }
    return all;
  }

  private static boolean isMatched(RequestMatcher matcher, String path) {
    String bare = path.endsWith("/") ? path.substring(0, path.length() - 1) : path;
    return matcher.match().stream().anyMatch(it -> regex(it).matcher(bare).matches())
        && matcher.except().stream().noneMatch(it -> regex(it).matcher(bare).matches());
  }

  private static Pattern regex(String pattern) {
    String rooted = pattern.startsWith("/") ? pattern : "/**/" + pattern;
    return Pattern.compile(
        Stream.of(rooted.substring(1).split("/", -1))
            .map(
                segment ->
                    switch (segment) {
                      case "" -> "";
                      case "**" -> "(/[^/]+)*";
                      case "*", "{x}" -> "/[^/]+";
                      default ->
                          segment.startsWith("*")
                              ? "/[^/]*" + Pattern.quote(segment.substring(1))
                              : "/" + Pattern.quote(segment);
                    })
            .collect(Collectors.joining()));
  }

  private static RequestMatcher matcher(Random random) {
    while (true) {
      try {
        List<String> except =
            random.nextInt(4) == 0 ? List.of(pattern(random, 4)) : List.<String>of();
        return RequestMatcher.parse(
            List.of(pattern(random, 4), pattern(random, 4)), except, MatchOptions.DEFAULT);
      } catch (IllegalArgumentException nothingLeft) {
        // another one
      }
    }
  }

  private static String pattern(Random random, int most) {
    StringBuilder pattern = new StringBuilder();
    int length = random.nextInt(most + 1);
    if (length == 0) {
      return random.nextBoolean() ? "*.do" : "/";
    }
    for (int i = 1; i < length; i++) {
      String segment = IN_PATTERNS.get(random.nextInt(IN_PATTERNS.size()));
      boolean isSecondDepth = segment.equals("**") && pattern.toString().endsWith("**");
      pattern.append('/').append(isSecondDepth ? "a" : segment);
    }
    String last = LAST.get(random.nextInt(LAST.size()));
    boolean isSecondDepth = last.equals("**") && pattern.toString().endsWith("**");
    return pattern.append('/').append(isSecondDepth ? "a" : last).toString();
  }

  private static String path(Random random) {
    StringBuilder path = new StringBuilder();
    for (int i = random.nextInt(8); i > 0; i--) {
      path.append('/').append(SEGMENTS.get(random.nextInt(SEGMENTS.size())));
    }
    return path.isEmpty() || random.nextInt(5) == 0 ? path + "/" : path.toString();
  }
}
