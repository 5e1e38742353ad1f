package dev.weir.http;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.function.IntFunction;
import org.junit.jupiter.api.Test;

/** The work of matching, counted in nodes visited and segments compared, not in time. */
class RuleIndexWorkTest {

  @Test
  void a_thousand_rules_on_literal_paths_cost_a_few_comparisons_more_than_ten() {
    assertThat(work(1000, i -> "/api/route" + i + "/**", "/api/route7/x"))
        .isLessThanOrEqualTo(work(10, i -> "/api/route" + i + "/**", "/api/route7/x") + 8)
        .isLessThan(20);
  }

  @Test
  void a_thousand_rules_below_templates_cost_no_more() {
    assertThat(work(1000, i -> "/tenants/{id}/r" + i, "/tenants/acme/r7")).isLessThan(20);
  }

  @Test
  void a_thousand_hosts_cost_no_more() {
    assertThat(work(1000, i -> "//h" + i + ".example/api/**", "/api/x")).isLessThan(10);
  }

  @Test
  void a_thousand_exceptions_cost_no_more() {
    List<String> except = new ArrayList<>();
    for (int i = 0; i < 1000; i++) {
      except.add("/static/" + i);
    }
    RequestMatcher matcher = RequestMatcher.parse(List.of("/**"), except, MatchOptions.DEFAULT);
    RuleIndex index = new RuleIndex(List.of(Rules.rule("flood", matcher, "ip", Rules.PLENTY)));
    assertThat(index.hits("GET", "", "/static/7").work()).isLessThan(20);
  }

  @Test
  void a_request_that_no_rule_takes_visits_one_node() {
    RuleIndex index = new RuleIndex(List.of(Rules.matching("/a/b"), Rules.matching("/c")));
    assertThat(index.hits("GET", "", "/x/y/z/a/b/c/d").work()).isLessThanOrEqualTo(3);
  }

  @Test
  void a_path_of_thousands_of_segments_costs_no_more_than_the_patterns_are_deep() {
    RuleIndex index = new RuleIndex(List.of(Rules.matching("/*/*/*/x"), Rules.matching("/**")));
    assertThat(index.hits("GET", "", "/a".repeat(10_000)).work()).isLessThan(10);
  }

  private static int work(int count, IntFunction<String> pattern, String path) {
    List<Rule> rules = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      rules.add(Rules.matching(pattern.apply(i)));
    }
    Hits hits = new RuleIndex(rules).hits("GET", "h7.example", path);
    assertThat(hits.applying()).hasSize(1);
    return hits.work();
  }
}
