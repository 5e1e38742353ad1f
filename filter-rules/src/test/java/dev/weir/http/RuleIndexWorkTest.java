package dev.weir.http;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.http.RequestMatcher.MatchOptions;
import dev.weir.http.internal.match.Hits;
import dev.weir.http.internal.match.MethodCandidates;
import dev.weir.http.internal.match.RuleIndex;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.function.IntFunction;
import org.junit.jupiter.api.Test;

/**
 * The work of matching, counted in nodes visited, segments and labels compared and patterns looked
 * at, not in time.
 */
class RuleIndexWorkTest {

  private static final RuleIndex SHOP =
      new RuleIndex(
          List.of(
              Rules.matching("POST /api/**"),
              Rules.matching("GET /x"),
              Rules.matching("//shop.example/api/**"),
              Rules.matching("//*.shop.example/api/**"),
              Rules.matching("/**")));

  private static final String[] METHODS =
      ("ACL,BIND,CHECKIN,CHECKOUT,CONNECT,COPY,DELETE,GET,HEAD,LABEL,LINK,LOCK,MERGE,MKACTIVITY,"
              + "MKCALENDAR,MKCOL,MOVE,OPTIONS,ORDERPATCH,PATCH,PROPFIND,PROPPATCH,PUT,QUERY,REBIND,"
              + "REPORT,SEARCH,TRACE,UNBIND,UNCHECKOUT,UNLINK,UNLOCK,UPDATE")
          .split(",");

  /** Of 253 characters. */
  private static final String LONGEST_HOST = "a" + "a.".repeat(120) + "shop.example";

  /** More than what the most hostile path alone may cost: six readings in a few tries. */
  private static final int BOUND = 150;

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
    assertThat(index.hits(FakeRequest.get("/static/7")).work()).isLessThan(20);
  }

  @Test
  void a_request_that_no_rule_takes_visits_one_node() {
    RuleIndex index = new RuleIndex(List.of(Rules.matching("/a/b"), Rules.matching("/c")));
    assertThat(index.hits(FakeRequest.get("/x/y/z/a/b/c/d")).work()).isLessThanOrEqualTo(3);
  }

  @Test
  void a_path_of_thousands_of_segments_costs_no_more_than_the_patterns_are_deep() {
    RuleIndex index = new RuleIndex(List.of(Rules.matching("/*/*/*/x"), Rules.matching("/**")));
    assertThat(index.hits(FakeRequest.get("/a".repeat(10_000))).work()).isLessThan(10);
  }

  @Test
  void an_extension_and_a_tail_cost_no_more_in_a_path_of_thousands_of_segments() {
    RuleIndex index =
        new RuleIndex(
            List.of(
                Rules.matching("*.do"),
                Rules.matching("/**/search"),
                Rules.matching("/a/**/{x}/b")));
    String deep = "/a".repeat(10_000);
    assertThat(index.hits(FakeRequest.get(deep)).work()).isLessThan(30);
    assertThat(index.hits(FakeRequest.get(deep + "/x/b")).applying()).hasSize(1);
  }

  @Test
  void a_thousand_extensions_cost_a_few_comparisons_more_than_ten() {
    assertThat(work(1000, i -> "*.x" + i, "/a/b.x7"))
        .isLessThanOrEqualTo(work(10, i -> "*.x" + i, "/a/b.x7") + 8)
        .isLessThan(20);
    assertThat(work(1000, i -> "/**/x" + i, "/a/b/x7")).isLessThan(20);
    assertThat(work(1000, i -> "/x" + i + "/**/y/**/z", "/x7/a/y/b/z")).isLessThan(40);
  }

  @Test
  void a_path_is_read_once_for_each_any_depth_and_never_backwards() {
    String pattern = "/**/a/**/a/**/a/**/b";
    int once = work(1, i -> pattern, "/a/a/a/b");
    RuleIndex index = new RuleIndex(List.of(Rules.matching(pattern)));
    for (int segments : new int[] {100, 1_000, 10_000}) {
      Hits hits = index.hits(FakeRequest.get("/a".repeat(segments) + "/c"));
      assertThat(hits.applying()).isEmpty();
      assertThat(hits.work()).isLessThan(once + 4 * 4 * segments);
    }
  }

  @Test
  void what_follows_any_depth_cannot_fill_the_memory() {
    RuleIndex index =
        new RuleIndex(List.of(Rules.matching("/**/a/**"), Rules.matching("/**/a/**/{x}/**")));
    Hits hits = index.hits(FakeRequest.get("/a".repeat(2_000)));
    assertThat(hits.applying()).hasSize(2);
    assertThat(hits.work()).isLessThan(20_000);
  }

  @Test
  void a_request_costs_less_than_the_bound_however_it_is_written() {
    String odd = "/%25/..;x/\\" + "/a".repeat(250);
    assertThat(SHOP.hits(FakeRequest.get("/api/a")).work()).isLessThan(20);
    assertThat(SHOP.hits(FakeRequest.post(odd)).work()).isLessThan(BOUND);
    assertThat(SHOP.hits(FakeRequest.post(odd).host(LONGEST_HOST)).work()).isLessThan(BOUND);
  }

  @Test
  void overrides_cost_no_more_than_the_methods_that_patterns_name() {
    FakeRequest hostile =
        FakeRequest.post("/%25/..;x/a")
            .header("X-HTTP-Method", METHODS)
            .header("X-HTTP-Method-Override", METHODS)
            .query("_method", METHODS);
    assertThat(SHOP.hits(hostile).work()).isLessThan(BOUND);
    assertThat(new MethodCandidates(Set.of("POST", "GET", "HEAD")).of(hostile))
        .matches(candidates -> Long.bitCount(candidates) == 4);
    assertThat(SHOP.hits(hostile.header("Content-Type", "multipart/form-data")).work())
        .isLessThan(BOUND);
    assertThat(new MethodCandidates(Set.of()).of(hostile))
        .matches(candidates -> Long.bitCount(candidates) == 1);
  }

  @Test
  void a_host_is_read_no_further_than_the_patterns_go() {
    RuleIndex hosts = new RuleIndex(List.of(Rules.matching("//*.shop.example/**")));
    assertThat(hosts.hits(FakeRequest.get("/").host("a.".repeat(100) + "example")).work())
        .isLessThan(10);
    assertThat(hosts.hits(FakeRequest.get("/").host(LONGEST_HOST)).applying()).hasSize(1);
  }

  @Test
  void what_is_longer_than_a_host_can_be_is_none() {
    RuleIndex hosts = new RuleIndex(List.of(Rules.matching("//*.shop.example/**")));
    Hits hits = hosts.hits(FakeRequest.get("/").host("a" + LONGEST_HOST));
    assertThat(hits.applying()).isEmpty();
    assertThat(hits.work()).isLessThan(5);
  }

  @Test
  void an_odd_path_that_is_deeper_than_any_is_not_read_but_could_be_any() {
    for (String odd : List.of("/a/.", "//a", "/a;x", "\\a", "%2fa")) {
      FakeRequest deep = FakeRequest.post(odd.repeat(2_000));
      assertThat(SHOP.hits(deep).work()).as(odd).isLessThan(10);
      assertThat(SHOP.applying(deep))
          .as(odd)
          .extracting(applied -> applied.rule().name())
          .containsExactly("POST /api/**", "/**");
    }
  }

  private static int work(int count, IntFunction<String> pattern, String path) {
    List<Rule> rules = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      rules.add(Rules.matching(pattern.apply(i)));
    }
    Hits hits = new RuleIndex(rules).hits(FakeRequest.get(path).host("h7.example"));
    assertThat(hits.applying()).hasSize(1);
    return hits.work();
  }
}
