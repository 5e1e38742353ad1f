package dev.weir.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.weir.http.spi.Completion.Response;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Which responses count. */
class CountedResponsesTest {

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          204; 4xx            | 204 400 499         | 203 205 399 500
          400-421; 423-499    | 400 421 423 499     | 399 422 500
          4xx-5xx             | 400 499 500 599     | 302 399
          !422                | 100 302 421 423 799 | 422
          !4xx                | 200 302 500         | 400 450 499
          ! 500-599           | 200 499             | 500 599
          4xx; !404; !420-429 | 400 419 430         | 404 420 429 200 302
          """)
  void statuses_classes_ranges_and_all_but_these(String entries, String counted, String free) {
    CountedResponses responses = CountedResponses.parse(List.of(entries.split(" *; *", -1)));
    assertThat(List.of(counted.split(" ", -1)))
        .allMatch(status -> responses.contains(Integer.parseInt(status)));
    assertThat(List.of(free.split(" ", -1)))
        .noneMatch(status -> responses.contains(Integer.parseInt(status)));
  }

  @ParameterizedTest
  @ValueSource(ints = {100, 200, 599, 799})
  void all_are_all(int status) {
    assertThat(CountedResponses.ALL.contains(status)).isTrue();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          redirect:/login?error*                 | /login?error              | true
          redirect:/login?error*                 | /login?error=locked&x=1   | true
          redirect:/login?error*                 | /login                    | false
          redirect:/login?error*                 | /login?x=1&error          | false
          redirect:/login?error*                 | /login/x?error            | false
          redirect:/login?error*                 | //login?error             | false
          redirect:/login?error*                 | //evil.example/login?error | false
          redirect:/login?error                  | /login?errors             | false
          redirect:/login                        | /login?anything           | true
          redirect:/login?                       | /login                    | true
          redirect:/login?                       | /login?x                  | false
          redirect:/login*                       | /login/failed?x           | true
          redirect:/*                            | /any/where                | true
          redirect:/*                            | //evil.example/           | false
          redirect://sso.example/error*          | //sso.example/error/7?x   | true
          redirect://sso.example/error*          | /error/7                  | false
          redirect://sso.example/error*          | //sso.example.evil/error  | false
          !redirect:/home                        | /home?welcome             | false
          !redirect:/home                        | /login?error              | true
          3xx; !redirect:/home                   | /home                     | false
          3xx; !redirect:/home                   | /login                    | true
          3xx; redirect:/login*; !302            | /login?error              | false
          redirect://SSO.example/error*          | //sso.example/error/7     | true
          redirect:/l%6Fgin%20x                  | /login x                  | true
          """)
  void a_redirect_counts_by_where_it_leads(String entries, String target, boolean counts) {
    CountedResponses responses = CountedResponses.parse(List.of(entries.split(" *; *", -1)));
    assertThat(responses.contains(new Redirection(302, target, Map.of(), true))).isEqualTo(counts);
  }

  @Test
  void without_a_redirect_the_status_counts() {
    CountedResponses responses = CountedResponses.parse(List.of("401", "redirect:/login?error"));
    assertThat(responses.contains(401)).isTrue();
    assertThat(responses.contains(200)).isFalse();
    assertThat(responses.contains(302)).isFalse();
  }

  @Test
  void what_the_application_says_comes_before_all_else() {
    CountedResponses alone = CountedResponses.parse(List.of("attribute:failed"));
    assertThat(alone.contains(saying("failed", true))).isTrue();
    assertThat(alone.contains(saying("failed", "true"))).isTrue();
    assertThat(alone.contains(saying("failed", false))).isFalse();
    assertThat(alone.contains(saying("other", true))).isFalse();
    assertThat(alone.contains(500)).isFalse();

    CountedResponses allBut = CountedResponses.parse(List.of("attribute:failed", "!422"));
    assertThat(allBut.contains(saying("failed", false))).isFalse();
    assertThat(allBut.contains(200)).isTrue();
    assertThat(allBut.contains(422)).isFalse();

    CountedResponses others = CountedResponses.parse(List.of("100-599", "attribute:counts"));
    assertThat(others.contains(saying("counts", false))).isFalse();
    assertThat(others.contains(saying("counts", "perhaps"))).isTrue();
    assertThat(others.contains(500)).isTrue();
  }

  @Test
  void what_the_application_has_not_said_before_a_client_has_gone_stays_charged() {
    CountedResponses failed = CountedResponses.parse(List.of("attribute:failed"));
    assertThat(failed.contains(cancelled(Map.of()))).isTrue();
    assertThat(failed.contains(cancelled(Map.of("failed", false)))).isFalse();
    assertThat(CountedResponses.parse(List.of("401")).contains(cancelled(Map.of()))).isFalse();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          ''                       | a status such as 401, a class such as 4xx, a range such as
          40x                      | a status such as 401
          4XX                      | a status such as 401
          99                       | a status such as 401
          600                      | a status such as 401
          0401                     | a status such as 401
          -401                     | a status such as 401
          401,403                  | a status such as 401
          ٤٠١                      | a status such as 401
          6xx                      | a status such as 401
          400-                     | a status such as 401
          400-600                  | a status such as 401
          404-403                  | the lower status first, as in 403-404
          !                        | a status such as 401
          !1xx-5xx                 | exclusions that leave a status to count
          redirect:                | a path within the application, as in redirect:/login?error*
          redirect:login           | a path within the application
          redirect:///x            | a path within the application
          redirect://host          | a path within the application
          redirect:https://a/login | 'redirect://host/path' for another host, without a scheme
          redirect:/a b            | a path and a query without blanks
          redirect:/a#b            | a path and a query without blanks, '#'
          redirect:/a;b            | a path and a query without blanks, '#', ';'
          redirect:/a*b            | '*' at the end of the path or of the query alone
          redirect:/a/../b         | a path without '.', '..' and '//', as in /b
          redirect:/a//b           | a path without '.', '..' and '//', as in /a/b
          redirect:/a%zz           | each '%' with two hexadecimal digits after it
          redirect:/a?b*c          | '*' at the end of the path or of the query alone
          attribute:               | the name of an attribute after the colon
          !attribute:free          | attribute:free: the application sets it to false
          """)
  void nothing_else_is_an_entry(String entry, String expectation) {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> CountedResponses.parse(List.of(entry)))
        .withMessageStartingWith("count: '" + entry + "' (expected: ")
        .withMessageContaining(expectation);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          401; !422                      | !422            | an exclusion from what the other entries
          401; !redirect:/home           | !redirect:/home | an exclusion from what the other entries
          redirect:/x; !404              | !404            | an exclusion from what the other entries
          404; !4xx                      | !4xx            | exclusions that leave a status to count
          attribute:a; attribute:b       | attribute:b     | one attribute
          """)
  void an_entry_that_changes_nothing_is_refused(String entries, String wrong, String expectation) {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> CountedResponses.parse(List.of(entries.split(" *; *", -1))))
        .withMessageStartingWith("count: '" + wrong + "' (expected: " + expectation);
  }

  @Test
  void none_are_refused_for_they_would_be_all() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> CountedResponses.parse(List.of()))
        .withMessage("count: [] (expected: at least one status, such as 401)");
  }

  private static Response saying(String name, Object value) {
    return new Redirection(200, "", Map.of(name, value), true);
  }

  private static Response cancelled(Map<String, Object> attributes) {
    return new Redirection(200, "", attributes, false);
  }

  private record Redirection(
      int status, String target, Map<String, Object> attributes, boolean isComplete)
      implements Response {

    @Override
    public List<String> redirects() {
      return target.isEmpty() ? List.of() : List.of(target);
    }

    @Override
    public @Nullable Object attribute(String name) {
      return attributes.get(name);
    }
  }
}
