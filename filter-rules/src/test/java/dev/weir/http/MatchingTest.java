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
          /k%C3%A4se     | /käse            | true
          /my%20docs     | /my docs         | true
          /my%20docs     | /my docs/        | true
          /my%20docs     | /my+docs         | false
          /my%20docs     | /my%20docs       | true
          /my%20docs     | /mydocs          | false
          /a%25b         | /a%b             | true
          /a%2541        | /a%41            | true
          /a%2541        | /aA              | false
          /a%3Bb         | /a;b             | true
          /a%3Bb         | /a               | false
          /%2A           | /*               | true
          /%2A           | /x               | false
          /%2A%2A        | /x/y             | false
          /%7Bid%7D      | /{id}            | true
          /%7Bid%7D      | /7               | false
          /a%3Fb         | /a?b             | true
          /api/**/search | /api/search      | true
          /api/**/search | /api/a/search    | true
          /api/**/search | /api/a/b/search/ | true
          /api/**/search | /api/search/search | true
          /api/**/search | /api/search/a    | false
          /api/**/search | /api             | false
          /api/**/search | /search          | false
          /api/**/search | /api/asearch     | false
          /**/search     | /search          | true
          /**/search     | /a/b/search      | true
          /**/search     | /                | false
          /**/search/**  | /search          | true
          /**/search/**  | /a/search/b/c    | true
          /**/search/**  | /a/searches/b    | false
          /a/**/{x}/b    | /a/b             | false
          /a/**/{x}/b    | /a/c/b           | true
          /a/**/{x}/b    | /a/c/d/e/b       | true
          /**/*          | /a               | true
          /**/*          | /a/b             | true
          /**/*          | /                | false
          /*/**/*        | /a               | false
          /*/**/*        | /a/b             | true
          /**/a/**/a/**  | /a               | false
          /**/a/**/a/**  | /x/a/y/a/z       | true
          /**/a/**/b     | /a/b/c           | false
          /**/a/**/b     | /b/a/c/b         | true
          *.do           | /x.do            | true
          *.do           | /a/b/x.do        | true
          *.do           | /.do             | true
          *.do           | /x.do/           | true
          *.do           | /x.do/y          | false
          *.do           | /x.DO            | false
          *.do           | /x.dot           | false
          *.do           | /xdo             | false
          *.do           | /do              | false
          *.do           | /x.do.bak        | false
          *.do           | /x.y.do          | true
          *.do           | /x.do/y.do       | true
          *.do           | /                | false
          *.d%20o        | /x.d o           | true
          /*.do          | /x.do            | true
          /*.do          | /a/x.do          | false
          /a/*.do        | /a/x.do          | true
          /a/*.do        | /a/b/x.do        | false
          /a/*.do        | /x.do            | false
          /a/**/*.do     | /a/x.do          | true
          /a/**/*.do     | /a/b/c/x.do      | true
          /a/**/*.do     | /b/x.do          | false
          login          | login            | true
          """)
  void takes_paths(String pattern, String path, boolean taken) {
    String rooted = pattern.equals("login") ? "/" + pattern : pattern;
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
  void an_extension_is_compared_as_the_options_say_too() {
    RequestMatcher folding =
        RequestMatcher.parse(List.of("*.Do", "/**/X"), List.of(), new MatchOptions(true, true));
    RequestMatcher exact =
        RequestMatcher.parse(List.of("*.do", "/**/x"), List.of(), new MatchOptions(false, false));
    for (String path : List.of("/a/b.dO", "/a/b.do/", "/a/x", "/X/")) {
      assertThat(Rules.applies(folding, FakeRequest.get(path))).as(path).isTrue();
    }
    for (String path : List.of("/a/b.dO", "/a/b.do/", "/X", "/x/")) {
      assertThat(Rules.applies(exact, FakeRequest.get(path))).as(path).isFalse();
    }
    assertThat(Rules.applies(exact, FakeRequest.get("/a/b.do"))).isTrue();
    assertThat(Rules.applies(exact, FakeRequest.get("/a/x"))).isTrue();
  }

  @Test
  void an_extension_has_methods_and_hosts_like_any_pattern() {
    List<Rule> rules =
        List.of(
            Rules.matching("POST *.do"),
            Rules.matching("GET,PUT *.do"),
            Rules.matching("//shop.example/**/*.do"),
            Rules.rule("pages", Rules.except("/**", "*.css", "*.js"), "ip", Rules.PLENTY));
    assertThat(names(rules, FakeRequest.post("/a.do").host("shop.example")))
        .containsExactly("POST *.do", "//shop.example/**/*.do", "pages");
    assertThat(names(rules, FakeRequest.get("/a.do"))).containsExactly("GET,PUT *.do", "pages");
    assertThat(names(rules, FakeRequest.get("/css/a.css"))).isEmpty();
  }

  @Test
  void a_rule_applies_once_however_often_its_pattern_fits() {
    List<Rule> rules = List.of(Rules.matching("/**/a/**"), Rules.matching("/**/a/**/a"));
    assertThat(names(rules, FakeRequest.get("/a".repeat(50))))
        .containsExactly("/**/a/**", "/**/a/**/a");
    assertThat(new RuleIndex(rules).hits(FakeRequest.get("/a".repeat(50))).applying()).hasSize(2);
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
