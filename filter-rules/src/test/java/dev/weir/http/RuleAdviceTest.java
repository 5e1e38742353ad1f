package dev.weir.http;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.http.RequestMatcher.MatchOptions;
import dev.weir.http.internal.check.RuleAdvice;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Clients that choose their subject mint buckets, unless something else counts them. */
class RuleAdviceTest {

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          /api/**           | /**             |             | true
          /api/**           | /api/**         |             | true
          /api/**           | /api/*          |             | false
          /api/**           | /api/v1/**      |             | false
          /api/**           | /api            |             | false
          /api/**           | /other/**       |             | false
          /api/**           | /**             | /health     | true
          /api/**           | /**             | /static/**  | true
          /api/**           | /**             | /api/health | false
          /api/**           | /**             | /api        | false
          /api/**           | /**             | /*/health   | false
          /api/{id}         | /**             | /api/7      | false
          /api/{id}         | /**             | /api/7/x    | true
          /api/{id}         | /api/*          |             | true
          /api/x            | /api/{id}       |             | true
          /api/x            | /api/x          |             | true
          /api/x            | /api            |             | false
          GET /api          | /**             | POST /api   | true
          GET /api          | /**             | GET /api    | false
          GET /api          | POST /**        |             | false
          GET /api          | GET,POST /**    |             | true
          /api              | GET /**         |             | false
          //a.example/x     | /**             |             | true
          //a.example/x     | //a.example/**  |             | true
          //a.example/x     | //*.example/**  |             | true
          //*.b.example/x   | //*.example/**  |             | true
          /x                | //a.example/**  |             | false
          *.do              | /**             |             | true
          *.do              | *.do            |             | true
          *.do              | *.action        |             | false
          *.do              | /*.do           |             | false
          *.do              | /**             | *.css       | true
          *.do              | /**             | /x.do       | false
          *.do              | /**             | /x/{y}      | false
          /x.do             | *.do            |             | true
          /a/**/*.do        | *.do            |             | true
          /a/**/*.do        | /a/**           |             | true
          /a/**/x           | /**/x           |             | true
          /a/**/x           | /a/**           |             | true
          /a/**/x           | /a/**           | /a/b        | true
          /a/**/x           | /a/**           | /a/b/x      | false
          /a/**/x           | /a/**           | /**/b/**    | false
          /a/**/x           | /a/**           | /b/**       | true
          /a/b/x            | /a/**/x         |             | true
          /a/b/c            | /a/**/x         |             | false
          /**               | /**/a/**        |             | false
          """)
  void a_header_rule_wants_a_guard_on_the_same_paths(
      String pattern, String guard, String gap, boolean guarded) {
    List<String> gaps = gap == null ? List.of() : List.of(gap);
    RequestMatcher matcher = RequestMatcher.parse(List.of(guard), gaps, MatchOptions.DEFAULT);
    Rule key = Rules.rule("api", RequestMatcher.of(pattern), "header:X-API-Key", Rules.PLENTY);
    Rule flood = Rules.rule("flood", matcher, "ip", Rules.PLENTY);
    assertThat(advice(key, flood).isEmpty()).isEqualTo(guarded);
  }

  @Test
  void says_what_is_wrong() {
    Rule key = Rules.rule("api", RequestMatcher.of("GET /api/**"), "query:key", Rules.PLENTY);
    assertThat(advice(key))
        .containsExactly(
            "rule 'api' counts by query:key, which clients choose freely, and no rule by ip or"
                + " global counts 'GET /api/**' too: each new value is a new bucket");
  }

  @ParameterizedTest
  @CsvSource({
    "ip, 0",
    "global, 0",
    "principal, 0",
    "path, 0",
    "method, 0",
    "header:X, 1",
    "cookie:X, 1",
    "query:x, 1"
  })
  void only_what_clients_choose_mints(String subject, int warnings) {
    Rule rule = Rules.rule("r", RequestMatcher.of("/**"), subject, Rules.PLENTY);
    assertThat(advice(rule)).hasSize(warnings);
  }

  @Test
  void a_header_beside_an_address_still_mints() {
    SubjectResolver both = SubjectResolver.of("ip", "header:X");
    Rule rule = Rules.rule("r", RequestMatcher.of("/**"), both, 1, Rules.PLENTY);
    assertThat(advice(rule)).hasSize(1);
  }

  @Test
  void another_rule_that_clients_choose_is_no_guard() {
    Rule one = Rules.rule("one", RequestMatcher.of("/**"), "header:X", Rules.PLENTY);
    Rule other = Rules.rule("other", RequestMatcher.of("/**"), "cookie:X", Rules.PLENTY);
    assertThat(advice(one, other)).hasSize(2);
  }

  @Test
  void an_annotated_rule_wants_a_guard_on_all_paths() {
    Rule bound = Rules.bound("annotated", "header:X", Rules.PLENTY);
    assertThat(advice(bound)).hasSize(1);
    assertThat(advice(bound, Rules.matching("/api/**"))).hasSize(1);
    assertThat(advice(bound, Rules.matching("/**"))).isEmpty();
  }

  private static List<String> advice(Rule... rules) {
    return RuleAdvice.of(new ArrayList<>(Arrays.asList(rules)));
  }
}
