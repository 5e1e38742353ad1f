package dev.weir.config;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.http.FakeRequest;
import org.junit.jupiter.api.Test;

/** Made-up API keys spoil the counting of API keys, and lock no client out elsewhere. */
class KeyFloodTest {

  private static final int CAP = 4_000;
  private static final String YAML =
      """
      max-counters: %d
      limits:
        flood: 1_000_000 per second
        login: 5 per minute
        api:   20 per second, burst 40
        daily: 100_000 per day window Europe/Berlin
      rules:
        - { name: flood, match: /**, subject: ip, limits: [flood] }
        - { name: login, match: POST /login, subject: ip, limits: [login] }
        - { name: api,   match: /api/**,     subject: header:X-API-Key, limits: [api, daily] }
      """
          .formatted(CAP);

  @Test
  void first_logins_pass_after_a_flood_of_keys() {
    try (Weir weir = Weir.open(Weirs.webInf(YAML, Weirs.application()))) {
      for (int i = 0; i < 2 * CAP; i++) {
        String attacker = "198.51.100." + i % 20;
        weir.limiter()
            .limit(FakeRequest.get("/api/x").from(attacker).header("X-API-Key", "made up " + i));
      }
      for (int i = 0; i < 250; i++) {
        FakeRequest first = FakeRequest.post("/login").from("192.0.2." + i);
        assertThat(Weirs.passing(weir, 5, first::again)).as("address %s", i).isEqualTo(5);
      }
    }
  }

  @Test
  void the_cap_that_is_configured_is_divided_among_the_limits_of_the_rules() {
    String small =
        """
        max-counters: 4
        rules:
          - { name: a, match: /a, limits: 2 per day window }
          - { name: b, match: /b, limits: 2 per day window }
        """;
    try (Weir weir = Weir.open(Weirs.webInf(small, Weirs.application()))) {
      for (int i = 0; i < 3; i++) {
        FakeRequest request = FakeRequest.get("/a").from("192.0.2." + i);
        assertThat(Weirs.passing(weir, 5, request::again)).isEqualTo(2);
      }
      assertThat(Weirs.passes(weir, FakeRequest.get("/a").from("192.0.2.8"))).isFalse();
    }
  }
}
