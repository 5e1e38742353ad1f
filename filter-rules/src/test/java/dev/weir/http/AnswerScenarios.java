package dev.weir.http;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import org.awaitility.Awaitility;

/** What the answers look like. */
final class AnswerScenarios {

  private AnswerScenarios() {}

  static List<HttpScenario> all() {
    return List.of(
        HttpScenario.of(
            "answer: an allowed request carries its policies",
            "{ name: allowed, match: /allowed, subject: ip, limits: [5 per minute] }",
            AnswerScenarios::allowed),
        HttpScenario.of(
            "answer: a denied request is told why and how long to wait",
            "{ name: denied, match: /denied, subject: ip, limits: [2 per minute] }",
            AnswerScenarios::denied),
        HttpScenario.of(
            "answer: waiting exactly Retry-After succeeds",
            "{ name: waiting, match: /waiting, subject: ip, limits: [1 per second] }",
            AnswerScenarios::waiting),
        HttpScenario.of(
            "answer: a denied HEAD has no body",
            "{ name: headless, match: /headless, subject: ip, limits: [1 per minute] }",
            AnswerScenarios::headless),
        HttpScenario.of(
            "answer: a path without a rule carries no fields",
            "{ name: nearly-free, match: /nearly-free, subject: ip, limits: [1 per minute] }",
            AnswerScenarios::free),
        HttpScenario.of(
            "answer: the fields of a path that does not exist",
            "{ name: nowhere, match: /nowhere/**, subject: ip, limits: [1 per minute] }",
            AnswerScenarios::nowhere),
        HttpScenario.of(
            "answer: a rule has a status, fields and an object of its own",
            "{ name: own, match: /own, subject: ip, limits: [1 per minute], denied: { status: 503,"
                + " headers: { X-Denied-By: \"{rule}\", Vary: Origin }, json: { error: busy, limit:"
                + " \"{limit}\", seconds: \"{seconds}\", hint: \"in {seconds} s\" } } }",
            AnswerScenarios::own),
        new HttpScenario(
            "dispatch: a denied request is forwarded as a GET, and charged by no rule",
            List.of(
                "{ name: shown, match: /shown, subject: ip, limits: [1 per minute], denied: {"
                    + " status: 503, forward: /shown-page } }",
                "{ name: shown-page, match: /shown-page, subject: ip, limits: [2 per minute] }"),
            AnswerScenarios::shown));
  }

  private static void allowed(RawHttp http) {
    Answer answer = http.get("/allowed");
    assertThat(answer.isPassed()).isTrue();
    assertThat(answer.field("RateLimit")).isEqualTo("\"allowed\";r=4;t=12");
    assertThat(answer.field("RateLimit-Policy"))
        .contains("\"allowed\";q=5;w=60")
        .contains("\"flood\";q=1000000;w=1");
    assertThat(answer.has("Retry-After")).isFalse();
    assertThat(answer.fields().keySet()).noneMatch(name -> name.startsWith("x-ratelimit"));
    assertThat(http.get("/allowed").field("RateLimit")).startsWith("\"allowed\";r=3;t=");
  }

  private static void denied(RawHttp http) {
    http.get("/denied");
    http.get("/denied");
    Answer answer = http.get("/denied");
    assertThat(answer.status()).isEqualTo(429);
    long wait = answer.retryAfterSeconds().orElseThrow();
    assertThat(wait).isBetween(25L, 30L);
    assertThat(answer.field("RateLimit")).isEqualTo("\"denied\";r=0;t=" + wait);
    assertThat(answer.field("RateLimit-Policy")).contains("\"denied\";q=2;w=60");
    assertThat(answer.field("Cache-Control")).isEqualTo("no-store");
    assertThat(answer.field("Content-Type")).startsWith("application/problem+json");
    assertThat(answer.body())
        .contains("\"status\":429")
        .contains("\"violated-policies\":[\"denied\"]")
        .contains("#quota-exceeded");
  }

  private static void waiting(RawHttp http) {
    Answer denied =
        Awaitility.await()
            .pollDelay(Duration.ZERO)
            .pollInterval(Duration.ofMillis(1))
            .until(() -> http.get("/waiting"), Answer::isDenied);
    Duration wait = Duration.ofSeconds(denied.retryAfterSeconds().orElseThrow());
    assertThat(wait).isEqualTo(Duration.ofSeconds(1));
    long due = System.nanoTime() + wait.toNanos();
    Awaitility.await().pollInterval(Duration.ofMillis(1)).until(() -> System.nanoTime() - due >= 0);
    assertThat(http.get("/waiting").isPassed()).isTrue();
  }

  private static void headless(RawHttp http) {
    http.get("/headless");
    Answer answer = http.send("HEAD", "/headless");
    assertThat(answer.status()).isEqualTo(429);
    assertThat(answer.has("Retry-After")).isTrue();
    assertThat(answer.body()).isEmpty();
  }

  private static void free(RawHttp http) {
    Answer answer = http.get("/free/of/charge");
    assertThat(answer.isPassed()).isTrue();
    assertThat(answer.has("RateLimit")).isFalse();
    assertThat(answer.has("RateLimit-Policy")).isFalse();
  }

  private static void nowhere(RawHttp http) {
    assertThat(http.get("/nowhere/1").field("RateLimit")).startsWith("\"nowhere\";r=0;");
    assertThat(http.get("/nowhere/2").status()).isEqualTo(429);
  }

  private static void own(RawHttp http) {
    http.get("/own");
    Answer answer = http.get("/own", "Accept: text/html");
    assertThat(answer.status()).isEqualTo(503);
    long wait = answer.retryAfterSeconds().orElseThrow();
    assertThat(answer.field("X-Denied-By")).isEqualTo("own");
    assertThat(answer.field("Vary")).contains("Origin").doesNotContain("Accept");
    assertThat(answer.field("RateLimit")).isEqualTo("\"own\";r=0;t=" + wait);
    assertThat(answer.field("Cache-Control")).isEqualTo("no-store");
    assertThat(answer.field("Content-Type")).startsWith("application/json");
    assertThat(answer.body())
        .isEqualTo(
            "{\"error\":\"busy\",\"limit\":\"own\",\"seconds\":%d,\"hint\":\"in %d s\"}"
                .formatted(wait, wait));
  }

  private static void shown(RawHttp http) {
    http.get("/shown");
    for (String method : List.of("GET", "POST", "PUT", "DELETE", "PATCH", "PROPFIND")) {
      Answer page = http.send(method, "/shown", "Accept: text/html,*/*;q=0.8");
      assertThat(page.status()).as(method).isEqualTo(503);
      assertThat(page.body()).as(method).isEqualTo("passed, GET, denied by shown");
      long wait = page.retryAfterSeconds().orElseThrow();
      assertThat(page.field("RateLimit")).as(method).isEqualTo("\"shown\";r=0;t=" + wait);
      assertThat(page.field("Vary")).as(method).contains("Accept");
    }
    assertThat(http.send("HEAD", "/shown", "Accept: text/html").body()).isEmpty();
    Answer object = http.get("/shown", "Accept: application/json");
    assertThat(object.status()).isEqualTo(503);
    assertThat(object.field("Content-Type")).startsWith("application/problem+json");
    assertThat(http.get("/shown-page").field("RateLimit")).startsWith("\"shown-page\";r=1;");
  }
}
