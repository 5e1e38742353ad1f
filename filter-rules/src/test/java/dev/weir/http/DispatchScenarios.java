package dev.weir.http;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;

/**
 * Dispatches within a container (CVE-2022-31692): each rule charges a request once, however often
 * it passes the filter. A forward into a limited path is limited.
 *
 * <p>The application forwards {@code /do/forward/x} to {@code /at/x}, and includes {@code /at/x}
 * for {@code /do/include/x}. It fails with 418 for {@code /do/error/x}, and the error page is
 * {@code /error-page}. For {@code /do/async/x} it dispatches to {@code /at/x} from another thread.
 * For {@code /do/again/x} it dispatches to itself, and then answers.
 */
final class DispatchScenarios {

  private DispatchScenarios() {}

  static List<HttpScenario> all() {
    return List.of(
        HttpScenario.of(
            "dispatch: a forward is charged once by a rule of both paths",
            "{ name: forwarded, match: [/do/forward/f, /at/f], subject: ip, limits: [9/h] }",
            http -> assertChargedOnce(http, "/do/forward/f", "forwarded")),
        HttpScenario.of(
            "dispatch: a forward into a limited path is limited",
            "{ name: target, match: /at/limited, subject: ip, limits: [1 per hour] }",
            DispatchScenarios::limitedTarget),
        HttpScenario.of(
            "dispatch: an include is charged once",
            "{ name: included, match: [/do/include/i, /at/i], subject: ip, limits: [9/h] }",
            http -> assertChargedOnce(http, "/do/include/i", "included")),
        new HttpScenario(
            "dispatch: an error page is part of the answer",
            List.of(
                "{ name: erring, match: /do/error/one, subject: ip, limits: [9/h] }",
                "{ name: error-page, match: /error-page, subject: ip, limits: [1 per hour] }"),
            DispatchScenarios::errorPage),
        HttpScenario.of(
            "dispatch: an asynchronous dispatch is charged once",
            "{ name: async, match: [/do/async/a, /at/a], subject: ip, limits: [9/h] }",
            http -> assertChargedOnce(http, "/do/async/a", "async")),
        HttpScenario.of(
            "dispatch: an asynchronous dispatch to itself is charged once",
            "{ name: again, match: /do/again/one, subject: ip, limits: [9/h] }",
            http -> assertChargedOnce(http, "/do/again/one", "again")),
        HttpScenario.of(
            "dispatch: an asynchronous dispatch into a limited path is limited",
            "{ name: async-target, match: /at/later, subject: ip, limits: [1 per hour] }",
            DispatchScenarios::limitedLater));
  }

  private static void assertChargedOnce(RawHttp http, String path, String rule) {
    Answer first = http.get(path);
    assertThat(first.status()).isEqualTo(200);
    assertThat(first.field("RateLimit")).startsWith("\"" + rule + "\";r=8;");
    assertThat(http.get(path).field("RateLimit")).startsWith("\"" + rule + "\";r=7;");
  }

  private static void limitedTarget(RawHttp http) {
    Answer forwarded = http.get("/do/forward/limited");
    assertThat(forwarded.status()).isEqualTo(200);
    assertThat(forwarded.field("RateLimit")).startsWith("\"target\";r=0;");
    assertIsDeniedBy("target", http.get("/do/forward/limited"));
    assertIsDeniedBy("target", http.get("/at/limited"));
  }

  private static void limitedLater(RawHttp http) {
    assertThat(http.get("/do/async/later").status()).isEqualTo(200);
    assertIsDeniedBy("async-target", http.get("/do/async/later"));
  }

  private static void assertIsDeniedBy(String rule, Answer answer) {
    assertThat(answer.status()).isEqualTo(429);
    assertThat(answer.body()).contains("\"violated-policies\":[\"" + rule + "\"]");
  }

  private static void errorPage(RawHttp http) {
    for (int i = 1; i <= 3; i++) {
      Answer answer = http.get("/do/error/one");
      assertThat(answer.status()).isEqualTo(418);
      assertThat(answer.body()).contains("error page");
      assertThat(answer.field("RateLimit")).startsWith("\"erring\";r=" + (9 - i) + ";");
    }
  }
}
