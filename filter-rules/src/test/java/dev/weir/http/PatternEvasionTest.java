package dev.weir.http;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Ways to write a path around an extension, a tail or a blank; none gets past its rule. */
class PatternEvasionTest {

  @ParameterizedTest
  @ValueSource(
      strings = {
        "/shop/pay.do",
        "/shop/pay.do/",
        "//shop//pay.do",
        "/shop/pay.do;jsessionid=1",
        "/shop/pay.do;jsessionid=1.node/",
        "/shop;v=1/pay.do;a=b;c",
        "/shop/pay.do%3Bjsessionid=1",
        "/shop/pay%2edo",
        "/shop/pay%2Edo",
        "/shop/pay.%64o",
        "/shop/x/../pay.do",
        "/shop/./pay.do",
        "/shop/pay.do/.",
        "/shop/pay.do/x/..",
        "/../pay.do",
        "/shop%2Fpay.do",
        "/shop/pay.do%2F",
        "/shop\\pay.do",
        "/static/..;/shop/pay.do",
        "/shop/pay.css;/../pay.do",
        "pay.do",
        "/.do"
      })
  void every_spelling_of_an_action_has_its_extension(String path) {
    assertThat(Rules.applies(RequestMatcher.of("POST *.do"), FakeRequest.post(path))).isTrue();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "/shop/pay.dox",
        "/pay.do/x",
        "/pay.DO",
        "/pay",
        "/pay.do.css",
        "/do",
        "/pay.do%00"
      })
  void other_paths_have_not(String path) {
    assertThat(Rules.applies(RequestMatcher.of("POST *.do"), FakeRequest.post(path))).isFalse();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "/login;.css",
        "/login;x=y.css",
        "/login%3B.css",
        "/login/.;a.css",
        "/login/..;/login;a.css",
        "/login/x.css/..",
        "/x.css/../login",
        "/x.css/..;/login",
        "/login\\..\\login;.css",
        "/login%2F..%2Flogin%3Bx.css",
        "/login/%2e%2e/login;a.css",
        "/login.css/..;a.css/../login"
      })
  void an_exception_by_extension_cannot_be_borrowed(String path) {
    RequestMatcher flood = Rules.except("/**", "*.css", "*.js");
    assertThat(Rules.applies(flood, FakeRequest.post(path))).isTrue();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"/a.css", "/x/a.css", "//x//a.css", "/x/y/../a.css", "/x/./a.js", "/a.css/"})
  void what_every_reading_excepts_is_excepted(String path) {
    assertThat(Rules.applies(Rules.except("/**", "*.css", "*.js"), FakeRequest.get(path)))
        .isFalse();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "/api/search",
        "/api/v1/x/search/",
        "/api//v1/search",
        "/api/v1;a=b/search;c",
        "/api/v1/./search",
        "/api/x/../search",
        "/api/..;/api/search",
        "/api/v1%2Fsearch",
        "/api/v1/searc%68",
        "/api\\v1\\search",
        "/x/../api/v1/search",
        "/api/v1/search/x/.."
      })
  void every_spelling_of_a_tail_is_the_tail(String path) {
    assertThat(Rules.applies(RequestMatcher.of("/api/**/search"), FakeRequest.get(path))).isTrue();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "/api/health/../admin",
        "/api/..;/admin/health/../x",
        "/api/a/health;/../b",
        "/api/admin;/health/..",
        "/api/health/..%2Fadmin",
        "/api/../admin/health"
      })
  void an_exception_by_tail_cannot_be_borrowed(String path) {
    RequestMatcher flood = Rules.except("/**", "/api/**/health");
    assertThat(Rules.applies(flood, FakeRequest.get(path))).isTrue();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"/my docs", "/my docs/", "//my docs", "/my docs;a", "/x/../my docs", "/my%20docs"})
  void every_spelling_of_a_blank_is_the_blank(String path) {
    assertThat(Rules.applies(RequestMatcher.of("/my%20docs"), FakeRequest.get(path))).isTrue();
  }

  /** It could be any path, so it has each extension, and no exception holds. */
  @Test
  void a_path_that_the_container_refuses_to_tell_has_every_extension() {
    List<Rule> rules =
        List.of(
            Rules.matching("*.do"),
            Rules.matching("/api/**/search"),
            Rules.rule("flood", Rules.except("/**", "*.css"), "ip", Rules.PLENTY));
    assertThat(MatchingTest.names(rules, FakeRequest.suspicious("GET")))
        .containsExactly("*.do", "/api/**/search", "flood");
    assertThat(MatchingTest.names(rules, FakeRequest.get("/a;b".repeat(300) + "/x.css")))
        .containsExactly("*.do", "/api/**/search", "flood");
  }

  @ParameterizedTest
  @ValueSource(strings = {"post", "pOST"})
  void a_method_in_another_case_is_the_method_of_an_extension_too(String method) {
    assertThat(Rules.applies(RequestMatcher.of("POST *.do"), FakeRequest.of(method, "/a.do")))
        .isTrue();
  }
}
