package dev.weir.http;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Ways to write a path that an application may still understand; none gets past its rule. */
class PathBypassTest {

  private static final RequestMatcher LOGIN = RequestMatcher.of("POST /login");

  @ParameterizedTest
  @ValueSource(
      strings = {
        "/login",
        "login",
        "/login/", // CVE-2023-38507 Strapi: trailing slash
        "//login", // CVE-2025-71399 (GHSA-x732-6j76-qmhm) Better Auth: double slash
        "/login//", // CVE-2023-4853 Quarkus: repeated slashes
        "///login///",
        "/./login",
        "/login/.",
        "/x/../login",
        "/../login",
        "/../../x/.././login",
        "/login/x/..",
        "/login;x", // CVE-2026-39852 Quarkus: parameters; also what %3B decodes to (CVE-2026-50559)
        "/login;jsessionid=1/",
        ";a/login;b=c;d",
        "/;/login",
        "/x;y/..;z/login",
        "/login%3Bx", // decoded once already, and still encoded
        "/login%2F",
        "/login%2f",
        "/login%5C",
        "/%6Cogin",
        "/x%2F..%2Flogin",
        "/x/%2e%2e/login",
        "/x/..%2flogin",
        "%2Flogin",
        "\\login",
        "/\\login\\",
        "/x\\..\\login",
        "/.%2Flogin"
      })
  void every_spelling_of_login_is_login(String path) {
    assertThat(Rules.applies(LOGIN, FakeRequest.post(path))).isTrue();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "/logins",
        "/x/login",
        "/login/x",
        "/loginx;a",
        "/%6C%6Cogin",
        "/login%",
        "/login%zz",
        "/login%2",
        "/lo;gin",
        "/login..",
        "/.login",
        "/login/../x"
      })
  void other_paths_are_not(String path) {
    assertThat(Rules.applies(LOGIN, FakeRequest.post(path))).isFalse();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "/static/../login",
        "/static/..;/login",
        "/static/..;x=y/login",
        "/static/..%2Flogin",
        "/static/%2e%2e/login",
        "/static\\..\\login",
        "/static%2F../login",
        "/login/..;/static/a.css",
        "/login/../static/a.css",
        "/login;/../static/x",
        "/static;v=1/a",
        "//static/..//login"
      })
  void an_exception_cannot_be_borrowed_by_another_path(String path) {
    RequestMatcher flood = Rules.except("/**", "/static/**");
    assertThat(Rules.applies(flood, FakeRequest.post(path))).isTrue();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"/static/a.css", "/static", "//static//a", "/static/a;v=1", "/static/./a"})
  void what_every_reading_excepts_is_excepted(String path) {
    RequestMatcher flood = Rules.except("/**", "/static/**");
    assertThat(Rules.applies(flood, FakeRequest.post(path))).isFalse();
  }

  @Test
  void a_servlet_below_login_is_limited_though_dots_lead_out_of_it() {
    RequestMatcher below = RequestMatcher.of("/login/**");
    assertThat(Rules.applies(below, FakeRequest.post("/login/..;/static/a"))).isTrue();
  }

  @Test
  void a_path_that_the_container_refuses_to_tell_could_be_any() {
    List<Rule> rules =
        List.of(
            Rules.matching("POST /login"),
            Rules.matching("GET /x"),
            Rules.rule("flood", Rules.except("/**", "/static/**"), "ip", Rules.PLENTY),
            Rules.rule("reads", Rules.except("GET /**", "POST /x"), "ip", Rules.PLENTY),
            Rules.matching("//other.example/**"));
    FakeRequest request = FakeRequest.suspicious("POST").host("shop.example");
    assertThat(MatchingTest.names(rules, request)).containsExactly("POST /login", "flood");
  }

  @ParameterizedTest
  @ValueSource(strings = {"X-HTTP-Method-Override", "X-Method-Override", "X-HTTP-Method"})
  void a_post_that_may_be_taken_for_another_method_is_both(String field) {
    List<Rule> rules = List.of(Rules.matching("DELETE /x"), Rules.matching("POST /x"));
    assertThat(MatchingTest.names(rules, FakeRequest.post("/x").header(field, "delete")))
        .containsExactly("DELETE /x", "POST /x");
    assertThat(MatchingTest.names(rules, FakeRequest.post("/x").header(field, "junk")))
        .containsExactly("POST /x");
    assertThat(MatchingTest.names(rules, FakeRequest.get("/x").header(field, "DELETE"))).isEmpty();
  }

  @Test
  void a_post_that_its_query_turns_into_another_method_is_both() {
    List<Rule> rules = List.of(Rules.matching("DELETE /x"), Rules.matching("POST /x"));
    assertThat(MatchingTest.names(rules, FakeRequest.post("/x").query("_method", "delete")))
        .containsExactly("DELETE /x", "POST /x");
    assertThat(MatchingTest.names(rules, FakeRequest.post("/x").query("_method", "GET", "DELETE")))
        .containsExactly("DELETE /x", "POST /x");
    assertThat(MatchingTest.names(rules, FakeRequest.post("/x").query("_method", "junk")))
        .containsExactly("POST /x");
    assertThat(MatchingTest.names(rules, FakeRequest.get("/x").query("_method", "DELETE")))
        .isEmpty();
  }

  @ParameterizedTest
  @ValueSource(strings = {"post", "Post", "pOST"})
  void a_method_in_another_case_is_the_method(String method) {
    assertThat(Rules.applies(LOGIN, FakeRequest.of(method, "/login"))).isTrue();
    assertThat(Rules.applies(LOGIN, FakeRequest.of(method, "//login"))).isTrue();
    assertThat(Rules.applies(LOGIN, FakeRequest.of("get", "/login"))).isFalse();
    FakeRequest overridden =
        FakeRequest.of(method, "/x").header("X-HTTP-Method-Override", "delete");
    assertThat(Rules.applies(RequestMatcher.of("DELETE /x"), overridden)).isTrue();
  }

  @Test
  void a_method_in_another_case_borrows_no_exception() {
    RequestMatcher flood = Rules.except("/**", "GET /x");
    assertThat(Rules.applies(flood, FakeRequest.of("get", "/x"))).isTrue();
    assertThat(Rules.applies(flood, FakeRequest.of("GET", "/x"))).isFalse();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "application/x-www-form-urlencoded",
        "Application/X-WWW-Form-URLEncoded;charset=utf-8",
        " multipart/form-data; boundary=x"
      })
  void a_form_may_hold_a_method_that_no_form_can_have(String type) {
    List<Rule> rules =
        List.of(
            Rules.matching("DELETE /x"),
            Rules.matching("PUT,GET /x"),
            Rules.matching("PATCH /x"),
            Rules.matching("GET /x"),
            Rules.matching("POST /x"));
    FakeRequest form = FakeRequest.post("/x").header("Content-Type", type);
    assertThat(MatchingTest.names(rules, form))
        .containsExactly("DELETE /x", "PUT,GET /x", "PATCH /x", "POST /x");
    assertThat(MatchingTest.names(rules, FakeRequest.get("/x").header("Content-Type", type)))
        .containsExactly("PUT,GET /x", "GET /x");
  }

  @ParameterizedTest
  @ValueSource(strings = {"application/json", "text/plain", "multipart/mixed", ""})
  void what_is_no_form_holds_none(String type) {
    assertThat(
            Rules.applies(
                RequestMatcher.of("DELETE /x"),
                FakeRequest.post("/x").header("Content-Type", type)))
        .isFalse();
  }

  @Test
  void a_form_keeps_the_exceptions_of_a_rule_that_takes_every_method() {
    FakeRequest form =
        FakeRequest.post("/x").header("Content-Type", "application/x-www-form-urlencoded");
    List<Rule> rules =
        List.of(
            Rules.rule("flood", Rules.except("/**", "POST /x"), "ip", Rules.PLENTY),
            Rules.rule("deletes", Rules.except("DELETE /**", "/x"), "ip", Rules.PLENTY),
            Rules.matching("DELETE /x"));
    assertThat(MatchingTest.names(rules, form)).containsExactly("DELETE /x");
  }

  @Test
  void a_method_that_no_rule_names_borrows_no_exception_either() {
    RequestMatcher flood = Rules.except("/**", "POST /x");
    assertThat(Rules.applies(flood, FakeRequest.post("/x"))).isFalse();
    assertThat(Rules.applies(flood, FakeRequest.post("/x").header("X-HTTP-Method", "DELETE")))
        .isTrue();
  }

  @Test
  void a_post_cannot_override_itself_into_an_exception() {
    RequestMatcher flood = Rules.except("/**", "GET /x");
    assertThat(Rules.applies(flood, FakeRequest.post("/x").header("X-HTTP-Method-Override", "GET")))
        .isTrue();
  }

  @Test
  void a_near_miss_of_case_is_caught_by_a_catch_all() {
    List<Rule> rules = List.of(Rules.matching("POST /login"), Rules.matching("/**"));
    assertThat(MatchingTest.names(rules, FakeRequest.post("/LOGIN"))).containsExactly("/**");
  }
}
