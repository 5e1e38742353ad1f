package dev.weir.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.util.List;
import java.util.function.Consumer;

/**
 * Which responses are charged for. What does not count is given back when the response has ended:
 * perhaps after the client has it, if it was made asynchronously, or closed by the application.
 *
 * <p>The application answers with the status that stands in a path behind {@code /with/}. For
 * {@code /do/complete/x} it answers so from another thread, for {@code /do/twice/x} after two
 * asynchronous dispatches to itself, for {@code /do/now/x} after one that comes before it returns;
 * for {@code /do/timeout/x} never; {@code /do/throw/x} throws. {@code /do/redirect/x} leads to
 * {@code /at/x}, and {@code /do/says/yes} sets the attribute {@code counts}.
 */
final class CountScenarios {

  private CountScenarios() {}

  static List<HttpScenario> all() {
    return List.of(
        of("count: what does not count is given back", "/with/*/plain", CountScenarios::plain),
        HttpScenario.of(
            "count: the status of a request that has waited counts",
            waiting("waited", "/with/*/late"),
            http -> givesBackAfterAWait(http, "/with/", "/late")),
        HttpScenario.of(
            "dispatch: the status of what has waited and is completed by another thread counts",
            waiting("waited-complete", "/do/complete/with/*/late"),
            http -> givesBackAfterAWait(http, "/do/complete/with/", "/late")),
        of(
            "dispatch: the status of a forward counts",
            "/do/forward/with/*/f",
            http -> givesBackBut401Counts(http, "/do/forward/with/", "/f")),
        of(
            "dispatch: the status of an asynchronous dispatch counts",
            "/do/async/with/*/a",
            http -> givesBackBut401Counts(http, "/do/async/with/", "/a")),
        of(
            "dispatch: the status of a second asynchronous dispatch counts",
            "/do/twice/with/*/t",
            http -> givesBackBut401Counts(http, "/do/twice/with/", "/t")),
        of(
            "dispatch: the status of what is dispatched before the chain returns counts",
            "/do/now/with/*/n",
            http -> givesBackBut401Counts(http, "/do/now/with/", "/n")),
        of(
            "dispatch: the status of what is completed by another thread counts",
            "/do/complete/with/*/c",
            http -> givesBackBut401Counts(http, "/do/complete/with/", "/c")),
        of(
            "dispatch: the status of the target is that of a rule for the target",
            "/at/with/*/target",
            http -> givesBackBut401Counts(http, "/do/forward/with/", "/target")),
        HttpScenario.of(
            "dispatch: an error that is sent counts",
            rule("sent", "/do/error/sent", "1 per hour", "418"),
            http -> assertCounts(http, "/do/error/sent", 418)),
        HttpScenario.of(
            "dispatch: an error that is sent and does not count is given back",
            rule("sent-free", "/do/error/free", "1 per hour", "5xx"),
            http -> assertRefunded(http, "/do/error/free", 418)),
        HttpScenario.of(
            "dispatch: an exception stays charged, whatever counts",
            rule("thrown", "/do/throw/one", "1 per hour", "401"),
            http -> assertCounts(http, "/do/throw/one", 500)),
        HttpScenario.of(
            "dispatch: a time-out counts",
            rule("late", "/do/timeout/one", "1 per hour", "5xx"),
            http -> assertCounts(http, "/do/timeout/one", 500)),
        HttpScenario.of(
            "dispatch: a time-out that does not count is given back",
            rule("late-free", "/do/timeout/free", "1 per hour", "401"),
            http -> assertRefunded(http, "/do/timeout/free", 500)),
        HttpScenario.of(
            "dispatch: a redirect counts by where it leads",
            rule("redirect", "/do/redirect/*", "2 per hour", "'redirect:/at/failed'"),
            http -> counts(http, "/do/redirect/", "failed", "home", 302)),
        HttpScenario.of(
            "dispatch: a redirect that another thread sends counts by where it leads",
            rule("redirect-later", "/do/redirect-later/*", "2 per hour", "'!redirect:/at/home'"),
            http -> counts(http, "/do/redirect-later/", "failed", "home", 302)),
        HttpScenario.of(
            "dispatch: what the application says in an attribute counts",
            rule("says", "/do/says/*", "2 per hour", "attribute:counts"),
            http -> counts(http, "/do/says/", "yes", "no", 200)),
        HttpScenario.of(
            "dispatch: what another thread says in an attribute counts",
            rule("says-later", "/do/says-later/*", "2 per hour", "attribute:counts"),
            http -> counts(http, "/do/says-later/", "yes", "no", 200)));
  }

  /** The one target counts, and the other one is free. */
  private static void counts(
      RawHttp http, String before, String counting, String free, int status) {
    for (int i = 0; i < 5; i++) {
      assertStatus(http, before + free, status);
    }
    assertStatus(http, before + counting, status);
    assertStatus(http, before + counting, status);
    assertThat(http.get(before + free).status()).isEqualTo(429);
  }

  private static HttpScenario of(String name, String pattern, Consumer<RawHttp> check) {
    String rule = "counted" + pattern.replaceAll("[^a-z]+", "-");
    return HttpScenario.of(name, rule(rule, pattern, "2 per hour", "[401, 403]"), check);
  }

  private static String rule(String name, String pattern, String limit, String count) {
    return "{ name: %s, match: %s, subject: global, limits: [%s], count: %s }"
        .formatted(name, pattern, limit, count);
  }

  private static String waiting(String name, String pattern) {
    return "{ name: %s, match: %s, subject: global, limits: ['2 per second, burst 1', 3 per hour], count: 401, on-denial: delay up to 5s }"
        .formatted(name, pattern);
  }

  private static void plain(RawHttp http) {
    assertThat(http.get("/with/200/plain").field("RateLimit"))
        .as("as it stood before")
        .startsWith("\"counted-with-plain\";r=1;");
    givesBackBut401Counts(http, "/with/", "/plain");
    assertThat(http.get("/with/401/plain").status()).isEqualTo(429);
  }

  private static void givesBackBut401Counts(RawHttp http, String before, String after) {
    for (int i = 0; i < 5; i++) {
      assertStatus(http, before + "200" + after, 200);
    }
    assertStatus(http, before + "500" + after, 500);
    assertStatus(http, before + "401" + after, 401);
    assertStatus(http, before + "403" + after, 403);
    assertThat(http.get(before + "200" + after).status()).isEqualTo(429);
  }

  /** The second and the third wait. What the third was charged is the last of an hour. */
  private static void givesBackAfterAWait(RawHttp http, String before, String after) {
    assertThat(http.get(before + "401" + after).status()).isEqualTo(401);
    assertThat(http.get(before + "401" + after).status()).isEqualTo(401);
    for (int i = 0; i < 3; i++) {
      assertStatus(http, before + "200" + after, 200);
    }
    assertStatus(http, before + "401" + after, 401);
    assertThat(http.get(before + "200" + after).status()).isEqualTo(429);
  }

  private static void assertCounts(RawHttp http, String path, int status) {
    assertThat(http.get(path).status()).isEqualTo(status);
    assertThat(http.get(path).status()).isEqualTo(429);
  }

  private static void assertRefunded(RawHttp http, String path, int status) {
    for (int i = 0; i < 5; i++) {
      assertStatus(http, path, status);
    }
  }

  /** As soon as what the last one was charged is back. */
  private static void assertStatus(RawHttp http, String path, int status) {
    await().untilAsserted(() -> assertThat(http.get(path).status()).isEqualTo(status));
  }
}
