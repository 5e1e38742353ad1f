package dev.weir.http;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The client's address from a Forwarded header, RFC 7239. */
class ForwardedTest {

  private static final ClientAddress BEHIND =
      ClientAddress.behind(List.of("10.0.0.0/8"), "forwarded");

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '~',
      textBlock =
          """
          for=203.0.113.9                                             | 203.0.113.9
          For=203.0.113.9                                             | 203.0.113.9
          for="203.0.113.9:4711"                                      | 203.0.113.9
          for=203.0.113.9:4711                                        | 203.0.113.9
          for="[2001:db8::1]:4711"                                    | 2001:db8::/64
          for="[2001:db8::1]"                                         | 2001:db8::/64
          for="[::ffff:203.0.113.9]"                                  | 203.0.113.9
          for="203.0.113.9:_port"                                     | 203.0.113.9
          proto=https;for=203.0.113.9;by=10.0.0.1                     | 203.0.113.9
          by="a,b;for=1.1.1.1";for=203.0.113.9                        | 203.0.113.9
          host="a\\"b,c\\\\";for=203.0.113.9                          | 203.0.113.9
          for="203\\.0.113.9"                                         | 203.0.113.9
          for=203.0.113.9 ; proto=http                                | 203.0.113.9
          for="203.0.113.9" ;proto=http                               | 203.0.113.9
          for=203.0.113.9;                                            | 203.0.113.9
          for=1.1.1.1, for=203.0.113.9                                | 203.0.113.9
          for=1.1.1.1, for=203.0.113.9, for=10.0.0.2                  | 203.0.113.9
          for=1.1.1.1, for="203.0.113.9:1";host="x,y", for="10.0.0.2" | 203.0.113.9
          for=1.1.1.1, host="x\\",y";for=203.0.113.9                   | 203.0.113.9
          for=1.1.1.1, host="x\\\\",for=203.0.113.9                     | 203.0.113.9
          for=", for=203.0.113.9                                      | 203.0.113.9
          for="\\, for=203.0.113.9                                    | 203.0.113.9
          for="x", ", for="203.0.113.9"                               | 203.0.113.9
          """)
  void names_the_client(String line, String key) {
    assertThat(BEHIND.find(request(line)).key()).isEqualTo(key);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "for",
        "for=",
        "for=\"\"",
        "for=unknown",
        "for=_hidden",
        "for=\"_hidden:80\"",
        "proto=https",
        "for=203.0.113.9;for=1.1.1.1",
        "for=\"203.0.113.9",
        "for=203.0.113.9\"",
        "for=\"203.0.113.9\"x",
        "for=\"203.0.113.9\\",
        "for=\"203.0.113.9\\\"",
        "203.0.113.9",
        "for=[203.0.113.9]",
        "for=127.1",
        "for=2130706433",
        "for=shop.example",
        ";;;",
        "===",
        "\"",
        "\\",
        "for=203.0.113.9;proto"
      })
  void what_is_malformed_hidden_or_no_address_ends_the_walk(String element) {
    assertThat(BEHIND.find(request(element)).key()).isEqualTo("10.0.0.1");
    assertThat(BEHIND.find(request("for=9.9.9.9, " + element)).key()).isEqualTo("10.0.0.1");
    assertThat(BEHIND.find(request(element + ", for=10.0.0.2")).key()).isEqualTo("10.0.0.2");
  }

  @ParameterizedTest
  @ValueSource(strings = {"for=203.0.113.9,", "for=203.0.113.9, ,", ", for=203.0.113.9 , "})
  void empty_elements_are_skipped(String line) {
    assertThat(BEHIND.find(request(line)).key()).isEqualTo("203.0.113.9");
  }

  @Test
  void a_quote_left_open_spoils_no_later_line() {
    assertThat(BEHIND.find(request("for=\"", "for=203.0.113.9")).key()).isEqualTo("203.0.113.9");
  }

  private static FakeRequest request(String... lines) {
    return FakeRequest.get("/").from("10.0.0.1").header("Forwarded", lines);
  }
}
