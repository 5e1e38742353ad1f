package dev.weir.http;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.http.RequestMatcher.MatchOptions;
import dev.weir.http.internal.match.RuleIndex;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Which requests a pattern takes. */
class MatchingTest {

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          /login         | /login           | true
          /login         | /login/          | true
          /login/        | /login           | true
          /login         | /logins          | false
          /login         | /log             | false
          /login         | /login/x         | false
          /login         | /LOGIN           | false
          /              | /                | true
          /              | ''               | true
          /              | /x               | false
          /**            | /                | true
          /**            | ''               | true
          /**            | /a/b/c           | true
          /a/**          | /a               | true
          /a/**          | /a/              | true
          /a/**          | /a/b             | true
          /a/**          | /a/b/c/d         | true
          /a/**          | /ab              | false
          /a/**          | /                | false
          /a/*           | /a/b             | true
          /a/*           | /a/b/            | true
          /a/*           | /a               | false
          /a/*           | /a/              | false
          /a/*           | /a/b/c           | false
          /*             | /a               | true
          /*             | /                | false
          /a/*/c         | /a/b/c           | true
          /a/*/c         | /a/b/d           | false
          /a/*/c/**      | /a/b/c           | true
          /u/{id}        | /u/7             | true
          /u/{id}        | /u               | false
          /u/{id}/posts  | /u/7/posts       | true
          /{a}/{b}       | /x/y             | true
          /.well-known/x | /.well-known/x   | true
          /a/...         | /a/...           | true
          /käse          | /käse            | true
          /käse          | /kase            | false
          login          | login            | true
          """)
  void takes_paths(String pattern, String path, boolean taken) {
    String rooted = pattern.startsWith("/") ? pattern : "/" + pattern;
    assertThat(Rules.applies(RequestMatcher.of(rooted), FakeRequest.get(path))).isEqualTo(taken);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          POST /x         | POST    | true
          POST /x         | GET     | false
          POST /x         | post    | true
          GET /x          | GET     | true
          GET /x          | HEAD    | true
          HEAD /x         | GET     | false
          GET,PUT /x      | PUT     | true
          GET, PUT /x     | PUT     | true
          GET,PUT /x      | DELETE  | false
          /x              | BREW    | true
          PROPFIND /x     | PROPFIND | true
          """)
  void takes_methods(String pattern, String method, boolean taken) {
    assertThat(Rules.applies(RequestMatcher.of(pattern), FakeRequest.of(method, "/x")))
        .isEqualTo(taken);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          //shop.example/x       | shop.example      | true
          //shop.example/x       | SHOP.Example      | true
          //SHOP.example/x       | shop.example      | true
          //shop.example/x       | shop.example:8080 | true
          //shop.example/x       | shop.example.     | true
          //shop.example/x       | a.shop.example    | false
          //shop.example/x       | example           | false
          //shop.example/x       |                   | false
          //*.shop.example/x     | a.shop.example    | true
          //*.shop.example/x     | b.a.shop.example  | true
          //*.shop.example/x     | shop.example      | false
          //*.shop.example/x     | ashop.example     | false
          POST //shop.example/x  | shop.example      | false
          GET //shop.example/**  | shop.example      | true
          /x                     | anything          | true
          """)
  void takes_hosts(String pattern, String host, boolean taken) {
    FakeRequest request = FakeRequest.get("/x");
    if (host != null) {
      request.host(host);
    }
    assertThat(Rules.applies(RequestMatcher.of(pattern), request)).isEqualTo(taken);
  }

  @Test
  void head_is_limited_wherever_get_is() {
    // CVE-2026-9798 Keycloak: another way to the same end, which is not counted
    assertThat(Rules.applies(RequestMatcher.of("GET /x"), FakeRequest.of("HEAD", "/x"))).isTrue();
    assertThat(Rules.applies(Rules.except("/**", "GET /x"), FakeRequest.of("HEAD", "/x")))
        .isFalse();
  }

  @Test
  void exceptions_take_requests_out_again() {
    RequestMatcher matcher = Rules.except("/**", "/health", "/static/**", "POST /upload");
    assertThat(Rules.applies(matcher, FakeRequest.get("/health"))).isFalse();
    assertThat(Rules.applies(matcher, FakeRequest.get("/static/a.css"))).isFalse();
    assertThat(Rules.applies(matcher, FakeRequest.post("/upload"))).isFalse();
    assertThat(Rules.applies(matcher, FakeRequest.get("/upload"))).isTrue();
    assertThat(Rules.applies(matcher, FakeRequest.get("/healthy"))).isTrue();
  }

  @Test
  void an_exception_of_one_rule_is_none_of_another() {
    Rule flood = Rules.rule("flood", Rules.except("/**", "/a"), "ip", Rules.PLENTY);
    assertThat(names(List.of(flood, Rules.matching("/a")), FakeRequest.get("/a")))
        .containsExactly("/a");
  }

  @Test
  void case_and_trailing_slash_matter_as_the_options_say() {
    RequestMatcher folding =
        RequestMatcher.parse(List.of("/Login"), List.of(), new MatchOptions(true, true));
    RequestMatcher exact =
        RequestMatcher.parse(List.of("/login", "/a/"), List.of(), new MatchOptions(false, false));
    assertThat(Rules.applies(folding, FakeRequest.get("/lOGIN/"))).isTrue();
    assertThat(Rules.applies(exact, FakeRequest.get("/login"))).isTrue();
    assertThat(Rules.applies(exact, FakeRequest.get("/login/"))).isFalse();
    assertThat(Rules.applies(exact, FakeRequest.get("/a/"))).isTrue();
    assertThat(Rules.applies(exact, FakeRequest.get("/a"))).isFalse();
  }

  @Test
  void options_may_differ_from_rule_to_rule() {
    Rule folding =
        Rules.rule(
            "folding",
            RequestMatcher.parse(List.of("/x"), List.of(), new MatchOptions(true, true)),
            "ip",
            Rules.PLENTY);
    List<Rule> rules = List.of(Rules.matching("/x"), folding);
    assertThat(names(rules, FakeRequest.get("/X"))).containsExactly("folding");
    assertThat(names(rules, FakeRequest.get("/x"))).containsExactly("/x", "folding");
  }

  @Test
  void all_that_match_apply_once_in_the_order_of_the_rules() {
    List<Rule> rules =
        List.of(
            Rules.matching("/api/**"),
            Rules.matching("/api/users/{id}"),
            Rules.rule("twice", RequestMatcher.of("/api/*/7", "/api/users/*"), "ip", Rules.PLENTY),
            Rules.matching("POST /**"),
            Rules.matching("/**"));
    assertThat(names(rules, FakeRequest.get("/api/users/7")))
        .containsExactly("/api/**", "/api/users/{id}", "twice", "/**");
  }

  @Test
  void a_rule_without_a_matcher_is_never_matched() {
    List<Rule> rules = List.of(Rules.bound("annotated", "ip", Rules.PLENTY));
    assertThat(names(rules, FakeRequest.get("/"))).isEmpty();
    assertThat(names(rules, FakeRequest.suspicious("GET"))).isEmpty();
  }

  static List<String> names(List<Rule> rules, RequestView request) {
    return new RuleIndex(rules)
        .applying(request).stream().map(applied -> applied.rule().name()).toList();
  }
}
