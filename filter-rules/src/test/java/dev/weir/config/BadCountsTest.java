package dev.weir.config;

import static dev.weir.config.BadRulesTest.match;

import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Files with rules that count wrong responses. */
class BadCountsTest {

  @ParameterizedTest
  @MethodSource({"counts", "senselessCounts"})
  void is_refused(BadCase wrong) {
    wrong.verifyFile(FakeVariables.EMPTY);
  }

  /** Entries that have the right form, and no sense. */
  static Stream<BadCase> senselessCounts() {
    return Stream.of(
        match("count: »499-400", "count", "'499-400'", "the lower status first, as in 400-499"),
        match("count: »'!100-599'", "count", "'!100-599'", "exclusions that leave a status"),
        match("count: »[401, '!422']", "count", "'!422'", "an exclusion from what the other"),
        match("count: »[404, '!4xx']", "count", "'!4xx'", "exclusions that leave a status"),
        match("count: [»'!attribute:a']", "count[0]", "'!attribute:a'", "sets it to false"),
        match("count: »['attribute:a', 'attribute:b']", "count", "'attribute:b'", "one attribute"),
        match("count: »'redirect:/a*b'", "count", "'redirect:/a*b'", "'*' at the end"),
        match(
            "count: »'redirect:https://a/b'",
            "count",
            "'redirect:https://a/b'",
            "without a scheme"));
  }

  static Stream<BadCase> counts() {
    return Stream.of(
        match("count: »40x", "count", "'40x'", "a status such as 401, a class such as 4xx"),
        match("count: »\"401,403\"", "count", "'401,403'", "a status such as 401")
            .suggests("[401, 403]"),
        match("count: »400..499", "count", "'400..499'", "a status such").suggests("400-499"),
        match("count: »4XX", "count", "'4XX'", "a status such as 401").suggests("4xx"),
        match("count: »400-", "count", "'400-'", "a range such as 400-499"),
        match("count: »not 422", "count", "'not 422'", "'!'").suggests("!422"),
        match("count: »^422", "count", "'^422'", "'!'").suggests("!422"),
        match("count: »/login?error", "count", "'/login?error'", "redirect:/path")
            .suggests("redirect:/login?error"),
        match("count: »redirect:login", "count", "'redirect:login'", "a path within"),
        match("count: [401, »4x]", "count[1]", "'4x'", "a status such as 401, a class such as"),
        match("count: »[]", "count", "an empty list", "a status such as 401"),
        match("count: »{ a: b }", "count", "a map", "a status such as 401"),
        match("count: »~", "count", "nothing", "a status such as 401"),
        match("»cuont: 401", "cuont", "'cuont'", "one of name").suggests("count"));
  }
}
