package dev.weir.http.spi;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Where a {@code Location} leads, as browsers follow it. */
class RedirectTest {

  private static final String URL = "http://shop.example:8080/app/account/login";

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          http://shop.example:8080/app/login?error      | /login?error
          https://SHOP.example/app/login?error          | /login?error
          //shop.example./app/login?error               | /login?error
          http://user@shop.example/app/login            | /login
          /app/login?error#top                          | /login?error
          /app/login;jsessionid=1A?error                | /login?error
          /app/./x/../login?error                       | /login?error
          /app//login?error                             | /login?error
          /app/l%6Fgin?error                            | /login?error
          /app/login%3Ferror                            | /login%3Ferror
          failed?error                                  | /account/failed?error
          ../login?error                                | /login?error
          ?error                                        | /account/login?error
          '  /app/login '                               | /login
          /app                                          | /
          /app/                                         | /
          /app?x                                        | /?x
          http://shop.example/app/%41?x                 | /A?x
          /application/login                            | //shop.example/application/login
          /login?error                                  | //shop.example/login?error
          /app/../login?error                           | //shop.example/login?error
          http://evil.example/app/login?error           | //evil.example/app/login?error
          //evil.example/app/login?error                | //evil.example/app/login?error
          http://shop.example@evil.example/app/login    | //evil.example/app/login
          http://shop.example.evil.example/app/login    | //shop.example.evil.example/app/login
          http://shop.example                           | //shop.example/
          """)
  void is_a_place_within_the_application_or_elsewhere(String location, String place) {
    assertThat(RawRequest.redirect(location, URL, "/app").get(0)).isEqualTo(place);
  }

  @Test
  void within_the_application_has_the_name_with_the_host_too() {
    assertThat(RawRequest.redirect("/app/login?error", URL, "/app"))
        .containsExactly("/login?error", "//shop.example/app/login?error");
    assertThat(RawRequest.redirect("/login?error", URL, "/app"))
        .containsExactly("//shop.example/login?error");
  }

  @Test
  void that_is_relative_is_one_of_a_path_with_and_without_a_slash_at_its_end() {
    assertThat(RawRequest.redirect("login?error", "http://shop.example/app/login/", "/app"))
        .contains("/login/login?error", "/login?error");
    assertThat(RawRequest.redirect("login?error", "http://shop.example/app/login/.", "/app"))
        .contains("/login?error");
  }

  /** Tomcat has the path of the application as the client sent it. */
  @ParameterizedTest
  @CsvSource({"/x/../app", "/./app", "/x/..;/app", "/app;x", "/%61pp"})
  void is_within_the_application_however_its_path_was_sent(String context) {
    assertThat(RawRequest.redirect(context + "/login?error", URL, context))
        .contains("/login?error");
    assertThat(RawRequest.redirect("/app/login?error", URL, context)).contains("/login?error");
  }

  @ParameterizedTest
  @CsvSource({
    "javascript:alert(1)",
    "mailto:a@shop.example",
    "http:/app/login",
    "/app/%zz",
    "/app/%4"
  })
  void may_be_no_place(String location) {
    assertThat(RawRequest.redirect(location, URL, "/app")).isEmpty();
  }

  @ParameterizedTest
  @CsvSource({"/login?error", "http://shop.example/login?error", "login?error"})
  void of_the_root_has_no_context(String location) {
    assertThat(RawRequest.redirect(location, "http://shop.example/login", ""))
        .contains("/login?error");
  }
}
