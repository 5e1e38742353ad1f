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
}
