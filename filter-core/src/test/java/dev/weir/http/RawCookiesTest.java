package dev.weir.http;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

/** Cookies as they were sent. */
class RawCookiesTest {

  @Test
  void every_cookie_of_a_name_is_found_in_order_over_all_lines() {
    List<String> lines = List.of("a=1; b=2;a=3", "c=4, a = \"5\" ;A=6");
    assertThat(RawCookies.values(lines, "a")).containsExactly("1", "3", "5");
    assertThat(RawCookies.values(lines, "A")).containsExactly("6");
    assertThat(RawCookies.values(lines, "d")).isEmpty();
    assertThat(RawCookies.values(List.of(), "a")).isEmpty();
  }

  @Test
  void what_is_no_cookie_is_none() {
    assertThat(RawCookies.values(List.of(";", "=a", "xa=1"), "a")).isEmpty();
    assertThat(RawCookies.values(List.of("a=", "a=\"", "a=b=c"), "a"))
        .containsExactly("", "\"", "b=c");
  }

  @Test
  void a_name_alone_is_an_empty_cookie() {
    assertThat(RawCookies.values(List.of("a; b=1;a=2", " a "), "a")).containsExactly("", "2", "");
  }

  @Test
  void what_a_server_gives_counts_alone_where_it_gives_all() {
    List<String> lines = List.of("a=\"1\\2\"; a=3");
    assertThat(RawCookies.values(List.of("12", "3"), lines, "a")).containsExactly("12", "3");
    assertThat(RawCookies.values(List.of("12"), List.of("a=\"1\\2\""), "a")).containsExactly("12");
    assertThat(RawCookies.areReadInAnotherWay(List.of("12", "3"), lines, "a")).isFalse();
  }

  @Test
  void where_it_gives_fewer_those_that_were_sent_count_too() {
    List<String> lines = List.of("a=1; a=\"2\\3\"");
    assertThat(RawCookies.values(List.of("1"), lines, "a")).containsExactly("1", "1", "2\\3");
    assertThat(RawCookies.areReadInAnotherWay(List.of("1"), lines, "a")).isFalse();
    assertThat(RawCookies.areReadInAnotherWay(List.of("23"), lines, "a")).isTrue();
  }
}
