package dev.weir.http;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.http.RequestMatcher.MatchOptions;
import dev.weir.http.internal.check.AnnotatedRules;
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
          """)
  void a_header_rule_wants_a_guard_on_the_same_paths(
      String pattern, String guard, String hole, boolean guarded) {
    List<String> holes = hole == null ? List.of() : List.of(hole);
    RequestMatcher matcher = RequestMatcher.parse(List.of(guard), holes, MatchOptions.DEFAULT);
    Rule key = Rules.rule("api", RequestMatcher.of(pattern), "header:X-API-Key", Rules.PLENTY);
    Rule flood = Rules.rule("flood", matcher, "ip", Rules.PLENTY);
    assertThat(advice(key, flood).isEmpty()).isEqualTo(guarded);
  }

  @Test
  void says_what_is_wrong() {
    Rule key = Rules.rule("api", RequestMatcher.of("GET /api/**"), "query:key", Rules.PLENTY);
    assertThat(advice(key))
        .containsExactly(
            "rule 'api' counts by query:key, which clients choose freely, and no rule by ip or global counts 'GET /api/**' too: each new value is a new bucket");
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

  @ParameterizedTest
  @CsvSource({
    "/**, /x, ip, 3, 3, 1",
    "/**, /x, ip, 2, 3, 0",
    "/a, /x, ip, 3, 3, 0",
    "GET /**, POST /x, ip, 3, 3, 0",
    "GET /**, /x, ip, 3, 3, 1",
    "//a.example/x, //b.example/x, ip, 3, 3, 0",
    "//a.example/x, /x, ip, 3, 3, 1",
    "/**, /x, global, 3, 3, 0"
  })
  void rules_that_together_charge_more_than_a_limit_grants_always_deny(
      String one, String other, String subject, long cost, long otherCost, int warnings) {
    NamedLimit five = Rules.limit("five", "5 per minute");
    SubjectResolver ip = SubjectResolver.of("ip");
    Rule first = Rules.rule("one", RequestMatcher.of(one), ip, cost, five);
    Rule second =
        Rules.rule("other", RequestMatcher.of(other), SubjectResolver.of(subject), otherCost, five);
    assertThat(advice(first, second)).hasSize(warnings);
  }

  @Test
  void all_rules_that_one_request_matches_count() {
    NamedLimit five = Rules.limit("five", "5 per minute");
    Rule all = costing("all", "/**", 2, five);
    Rule api = costing("api", "/api/**", 2, five);
    Rule export = costing("export", "/api/export", 2, five);
    Rule login = costing("login", "/login", 2, five);
    assertThat(advice(all, api, login)).isEmpty();
    assertThat(advice(all, api, login, export))
        .containsExactly(
            "rules 'all', 'api', 'export' together charge limit 'five' 6 permits for one request, and it grants 5 at most: what all of them match is always denied");
  }

  @Test
  void a_cost_that_a_request_tells_counts_at_its_most() {
    NamedLimit five = Rules.limit("five", "5 per minute");
    Rule all = costing("all", "/**", 2, five);
    Cost cost = new Cost.OfQuery("size", CostBounds.upTo(4));
    Rule told = costing("told", "/x", 1, five).withCost(cost);
    assertThat(advice(all, told))
        .containsExactly(
            "rules 'all', 'told' together charge limit 'five' up to 6 permits for one request, and it grants 5 at most: one that costs so much is always denied");
  }

  private static Rule costing(String name, String match, long cost, NamedLimit limit) {
    return Rules.rule(name, RequestMatcher.of(match), SubjectResolver.of("ip"), cost, limit);
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
    return RuleAdvice.of(new ArrayList<>(Arrays.asList(rules)), new AnnotatedRules());
  }
}
