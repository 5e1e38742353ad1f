package dev.weir.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.util.List;

/**
 * However a request ends, its permit comes back: perhaps after the client has the answer. What ends
 * without a dispatch is asked of every adapter.
 */
final class EndScenarios {

  private static final int MORE_THAN_THE_LIMIT = 3;

  private EndScenarios() {}

  static List<HttpScenario> all() {
    return List.of(
        HttpScenario.of(
            "end: what is answered returns its permit",
            rule("/end/answered"),
            EndScenarios::replied),
        returns("an error that is sent", "/do/error/end", 418),
        returns("an exception", "/do/throw/end", 500),
        returns("a forward", "/do/forward/with/200/end", 200),
        returns("an asynchronous dispatch", "/do/async/with/200/end", 200),
        returns("a dispatch that comes before the chain returns", "/do/now/with/200/end", 200),
        returns("a second asynchronous dispatch", "/do/twice/with/200/end", 200),
        returns("another thread that completes", "/do/complete/with/200/end", 200),
        returns("a time-out", "/do/timeout/end", 500));
  }

  private static HttpScenario returns(String what, String path, int status) {
    return HttpScenario.of(
        "dispatch: " + what + " returns the permit",
        rule(path),
        http -> {
          for (int i = 0; i < MORE_THAN_THE_LIMIT; i++) {
            await().untilAsserted(() -> assertThat(http.get(path).status()).isEqualTo(status));
          }
        });
  }

  /** With a time to live that no test waits for. */
  private static String rule(String path) {
    return "{ name: held%s, match: %s, subject: global, limits: ['1 concurrent, ttl 1m'] }"
        .formatted(path.replaceAll("[^a-z0-9]+", "-"), path);
  }

  private static void replied(RawHttp http) {
    for (int i = 0; i < MORE_THAN_THE_LIMIT; i++) {
      await().untilAsserted(() -> assertThat(http.get("/end/answered").isPassed()).isTrue());
    }
  }
}
