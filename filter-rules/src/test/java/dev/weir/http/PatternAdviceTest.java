package dev.weir.http;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.http.internal.check.PatternAdvice;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** A pattern that is legal, and probably matches nothing, is warned of with its cure. */
class PatternAdviceTest {

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          /users/:id          | matches the text ':id' alone: write '{id}' for a segment that varies
          GET /a/:b/c         | matches the text ':b' alone: write '{b}' for a segment that varies
          /a,/b               | matches paths with a comma alone: write a list for several patterns, as in [/a, /b]
          """)
  void the_syntax_of_other_software_is_warned_of(String pattern, String advice) {
    assertThat(PatternAdvice.of(List.of(Rules.matching(pattern))))
        .containsExactly("rule '%s': '%s' %s".formatted(pattern, pattern, advice));
    Rule except = Rules.rule("all", Rules.except("/**", pattern), "ip", Rules.PLENTY);
    assertThat(PatternAdvice.of(List.of(except)))
        .containsExactly("rule 'all': '%s' %s".formatted(pattern, advice));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "/**",
        "/v1/users:batchGet",
        "/a/:",
        "/users/{id}",
        "/(a)",
        "GET,PUT /x",
        "*.do",
        "/a/**/b",
        "/a%2Cb",
        "/%3Aid"
      })
  void ordinary_patterns_are_not(String pattern) {
    assertThat(PatternAdvice.of(List.of(Rules.matching(pattern)))).isEmpty();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          /shop    | /shop/**         | true
          /shop    | POST /shop/login | true
          /shop    | /shop            | true
          /shop    | /shopping/**     | false
          /shop    | /a/shop          | false
          /shop    | /*/shop          | false
          /shop    | /**              | false
          /shop    | /shop/**/x       | true
          /shop    | /shop/*.do       | true
          /shop    | /**/shop         | false
          /shop    | *.do             | false
          /a/b     | /a/b/c           | true
          /a/b     | /a/c             | false
          ''       | /shop/**         | false
          """)
  void a_pattern_that_begins_with_the_context_path_is_warned_of(
      String context, String pattern, boolean isWarned) {
    List<String> advice = PatternAdvice.of(List.of(Rules.matching(pattern)), context);
    assertThat(advice).hasSize(isWarned ? 1 : 0);
    assertThat(advice)
        .allSatisfy(
            line ->
                assertThat(line)
                    .contains("'" + pattern + "' begins with the context path")
                    .contains("leave out '" + context + "'"));
  }
}
