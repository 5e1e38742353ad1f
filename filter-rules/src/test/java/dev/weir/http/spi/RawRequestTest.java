package dev.weir.http.spi;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** A request as it was sent: its path, its query as Tomcat reads it, and its cookies. */
class RawRequestTest {

  @Nested
  class Path {

    @ParameterizedTest
    @CsvSource(
        delimiter = '|',
        textBlock =
            """
          /a/b                  | /a/b
          /a/../b               | /a/../b
          /a/%2e%2E/b           | /a/../b
          /a;x=1/..;y/b;        | /a/../b
          /a;x=%2F..%2F         | /a
          /a%3Bx                | /a;x
          /a%2Fb%2fc            | /a%2Fb%2Fc
          /k%C3%A4se/k%c3%a4se  | /käse/käse
          /käse%20a+b           | /käse a+b
          /%2541                | /%41
          //a//                 | //a//
          """)
    void only_parameters_and_escapes_go(String path, String decoded) {
      assertThat(RawRequest.path(path)).isEqualTo(decoded);
    }

    @ParameterizedTest
    @ValueSource(
        strings = {"/%", "/%4", "/%zz", "/%4z", "/%+1", "/%-1", "/%0x41", "/%%31", "/%4%2F"})
    void a_broken_escape_is_refused_and_not_told(String path) {
      assertThatThrownBy(() -> RawRequest.path("/s3cret" + path))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining("two hexadecimal digits")
          .hasMessageNotContaining("s3cret");
    }
  }

  @Nested
  class Query {

    @ParameterizedTest
    @CsvSource(
        delimiter = '|',
        textBlock =
            """
          k=a                | a
          x=1&k=a&y          | a
          k=a&k=b            | a,b
          &&k=a&             | a
          =x&k=a             | a
          %6b=a              | a
          k=a%20b+c          | a b c
          k=%C3%A4           | ä
          k=a=b              | a=b
          k=a;k=b            | a;k=b
          """)
    void values_are_those_that_a_container_tells(String query, String values) {
      assertThat(RawRequest.queries(query, "k")).isEqualTo(List.of(values.split(",", -1)));
      assertThat(RawRequest.queries(query)).containsEntry("k", List.of(values.split(",", -1)));
    }

    @ParameterizedTest
    @ValueSource(strings = {"%zz", "%+1", "%-1", "%4", "%", "%u0041", "%%31", "%0x1", "%1 "})
    void a_pair_with_a_broken_escape_is_none(String broken) {
      assertThat(RawRequest.queries("k=" + broken + "&k=real", "k")).containsExactly("real");
      assertThat(RawRequest.queries("k=" + broken + "&k=real"))
          .isEqualTo(Map.of("k", List.of("real")));
      assertThat(RawRequest.queries(broken + "=1&k=real&k" + broken + "=2", "k"))
          .containsExactly("real");
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "&", "=", "K=a", "kk=a", "%20k=a", "k%00=a"})
    void other_names_are_others(String query) {
      assertThat(RawRequest.queries(query, "k")).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"k", "k=", "k&x=1"})
    void a_name_alone_has_an_empty_value(String query) {
      assertThat(RawRequest.queries(query, "k")).containsExactly("");
    }
  }

  @Nested
  class Cookies {

    @Test
    void every_cookie_of_a_name_is_found_in_order_over_all_lines() {
      List<String> lines = List.of("a=1; b=2;a=3", "c=4, a = \"5\" ;A=6");
      assertThat(RawRequest.cookies(lines, "a")).containsExactly("1", "3", "5");
      assertThat(RawRequest.cookies(lines, "A")).containsExactly("6");
      assertThat(RawRequest.cookies(lines, "d")).isEmpty();
      assertThat(RawRequest.cookies(List.of(), "a")).isEmpty();
    }

    @Test
    void what_is_no_cookie_is_none() {
      assertThat(RawRequest.cookies(List.of(";", "=a", "xa=1"), "a")).isEmpty();
      assertThat(RawRequest.cookies(List.of("a=", "a=\"", "a=b=c"), "a"))
          .containsExactly("", "\"", "b=c");
    }

    @Test
    void a_name_alone_is_an_empty_cookie() {
      assertThat(RawRequest.cookies(List.of("a; b=1;a=2", " a "), "a"))
          .containsExactly("", "2", "");
    }

    @Test
    void what_a_server_gives_counts_alone_where_it_gives_all() {
      List<String> lines = List.of("a=\"12\"; b=4; a=3");
      assertThat(RawRequest.cookies(List.of("12", "3"), lines, "a")).containsExactly("12", "3");
      assertThat(RawRequest.cookies(List.of("12"), List.of("a=12"), "a")).containsExactly("12");
      assertThat(RawRequest.readsCookieInAnotherWay(List.of("12", "3"), lines, "a")).isFalse();
    }

    @ParameterizedTest
    @ValueSource(strings = {"a=1,", "a=1,x", "b=2, a=1", "$Version=1, a=1", "b=\"x; a=1", "a=\t1"})
    void what_a_server_drops_counts_as_it_was_sent(String line) {
      assertThat(RawRequest.cookies(List.of(), List.of(line), "a")).containsExactly("1");
      assertThat(RawRequest.readsCookieInAnotherWay(List.of(), List.of(line), "a")).isFalse();
    }

    @ParameterizedTest
    @CsvSource({"12, '\"1\\2\"', 1\\2", "1, 1=, 1=", "'\"1\"', '\"1\"', 1"})
    void what_a_server_changes_counts_in_both_ways(String given, String sent, String value) {
      List<String> lines = List.of("a=" + sent);
      assertThat(RawRequest.cookies(List.of(given), lines, "a")).containsExactly(given, value);
      assertThat(RawRequest.readsCookieInAnotherWay(List.of(given), lines, "a")).isTrue();
    }

    @Test
    void where_it_gives_fewer_those_that_were_sent_count_too() {
      List<String> lines = List.of("a=1; a=\"2\\3\"");
      assertThat(RawRequest.cookies(List.of("1"), lines, "a")).containsExactly("1", "1", "2\\3");
      assertThat(RawRequest.readsCookieInAnotherWay(List.of("1"), lines, "a")).isFalse();
      assertThat(RawRequest.readsCookieInAnotherWay(List.of("23"), lines, "a")).isTrue();
    }
  }
}
