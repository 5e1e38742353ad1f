package dev.weir.http;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;

/**
 * What becomes of requests that are denied and not rejected. The application says in its answer
 * which rule has degraded the request, and which path it has answered if that is {@code /cheap}.
 */
final class DenialScenarios {

  private DenialScenarios() {}

  static List<HttpScenario> all() {
    return List.of(
        HttpScenario.of(
            "denial: a shadow lets everything pass and says nothing",
            "{ name: candidate, match: /shadowed, limits: [1 per hour], on-denial: shadow }",
            DenialScenarios::shadow),
        HttpScenario.of(
            "denial: what is degraded reaches the application, which is told so",
            "{ name: full, match: /full, limits: [1 per hour], on-denial: degrade }",
            DenialScenarios::degraded),
        new HttpScenario(
            "dispatch: what is degraded is forwarded, and charged by no rule twice",
            List.of(
                "{ name: dear, match: /dear, limits: [1 per hour], on-denial: degrade to /cheap }",
                "{ name: both, match: [/dear, /cheap], limits: [9 per hour] }",
                "{ name: cheap, match: /cheap, subject: global, limits: [2 per hour] }"),
            DenialScenarios::forwarded));
  }

  private static void shadow(RawHttp http) {
    for (int i = 0; i < 3; i++) {
      Answer answer = http.get("/shadowed");
      assertThat(answer.isPassed()).isTrue();
      assertThat(answer.field("RateLimit")).startsWith("\"flood\"");
      assertThat(answer.field("RateLimit-Policy")).doesNotContain("candidate");
    }
  }

  private static void degraded(RawHttp http) {
    assertThat(http.get("/full").body()).isEqualTo("passed");
    for (int i = 0; i < 2; i++) {
      Answer degraded = http.get("/full");
      assertThat(degraded.status()).isEqualTo(200);
      assertThat(degraded.body()).isEqualTo("passed, degraded by full");
      assertThat(degraded.field("RateLimit")).startsWith("\"full\";r=0;t=");
      assertThat(degraded.has("Retry-After")).isFalse();
    }
  }

  private static void forwarded(RawHttp http) {
    assertThat(http.get("/dear").body()).isEqualTo("passed");
    for (int i = 0; i < 2; i++) {
      Answer cheap = http.get("/dear");
      assertThat(cheap.status()).isEqualTo(200);
      assertThat(cheap.body()).isEqualTo("passed, degraded by dear, at /cheap");
      assertThat(cheap.field("RateLimit")).startsWith("\"dear\";r=0;t=");
    }
    Answer denied = http.get("/dear");
    assertThat(denied.status()).as("by a rule of the other path").isEqualTo(429);
    assertThat(denied.body()).contains("\"violated-policies\":[\"cheap\"]");
    assertThat(http.get("/cheap").status()).isEqualTo(429);
  }
}
