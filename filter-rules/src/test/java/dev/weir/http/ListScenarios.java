package dev.weir.http;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;

/** Clients that rules treat by their identity. */
final class ListScenarios {

  private static final String KEY = "X-API-Key: ";

  /** Of the key s3cr3t. */
  private static final String DIGEST =
      "4e738ca5563c06cfd0018299933d58db1dd8bf97f6973dc99bf6cdc64b5550bd";

  private ListScenarios() {}

  static List<HttpScenario> all() {
    return List.of(
        HttpScenario.of(
            "list: who is denied is refused without a word of limits",
            "{ name: refused, match: /refused, subject: ip, limits: [9 per hour], deny: [203.0.113.66] }",
            ListScenarios::denied),
        HttpScenario.of(
            "list: a denied key is refused wherever it stands",
            "{ name: bad-key, match: /bad-key, deny: { key: header:X-API-Key, sha256: "
                + DIGEST
                + " } }",
            ListScenarios::deniedKey),
        HttpScenario.of(
            "list: who is allowed is not limited",
            "{ name: partners, match: /partners, subject: global, limits: [1 per hour], allow: [203.0.113.0/25, { key: header:X-API-Key, sha256: "
                + DIGEST
                + " }] }",
            ListScenarios::allowed),
        HttpScenario.of(
            "tier: the tier is what a trusted proxy says, and the limit is named after it",
            "{ name: tier, match: /tier, subject: header:X-API-Key, tier: proxied, limits: { free: 1 per hour, pro: 3 per hour, vip: unlimited } }",
            ListScenarios::tier));
  }

  private static void denied(RawHttp http) {
    Answer refused = forwarded(http, "/refused", "203.0.113.66");
    assertThat(refused.status()).isEqualTo(403);
    assertThat(refused.has("Retry-After")).isFalse();
    assertThat(refused.has("RateLimit")).isFalse();
    assertThat(refused.field("Content-Type")).startsWith("application/problem+json");
    assertThat(refused.body()).contains("\"status\":403");
    assertThat(forwarded(http, "/refused", "203.0.113.67").isPassed()).isTrue();
    assertThat(forwarded(http, "/refused", "203.0.113.66, 203.0.113.67").isPassed()).isTrue();
    Answer claimed = http.get("/refused", "X-Forwarded-For: 203.0.113.66");
    assertThat(claimed.isPassed()).as("not by a trusted proxy").isTrue();
  }

  private static void deniedKey(RawHttp http) {
    assertThat(http.get("/bad-key", KEY + "s3cr3t").status()).isEqualTo(403);
    assertThat(http.get("/bad-key", KEY + "x", KEY + "s3cr3t").status()).isEqualTo(403);
    assertThat(http.get("/bad-key", KEY + "x").isPassed()).isTrue();
  }

  private static void allowed(RawHttp http) {
    assertThat(http.get("/partners").isPassed()).isTrue();
    assertThat(http.get("/partners").status()).isEqualTo(429);
    assertThat(http.get("/partners", "X-Forwarded-For: 203.0.113.1").status()).isEqualTo(429);
    assertThat(forwarded(http, "/partners", "203.0.113.128").status()).isEqualTo(429);
    assertThat(forwarded(http, "/partners", "203.0.113.1").isPassed()).isTrue();
    Answer known = http.get("/partners", KEY + "s3cr3t");
    assertThat(known.isPassed()).isTrue();
    assertThat(known.field("RateLimit-Policy")).doesNotContain("partners");
  }

  private static void tier(RawHttp http) {
    assertThat(http.get("/tier", KEY + "a", "X-Tier: pro").field("RateLimit"))
        .startsWith("\"tier.free\";r=0;");
    assertThat(http.get("/tier", KEY + "a", "X-Tier: vip").status()).isEqualTo(429);
    Answer pro = proxied(http, "X-Tier: pro");
    assertThat(pro.field("RateLimit")).startsWith("\"tier.pro\";r=2;");
    assertThat(pro.field("RateLimit-Policy")).contains("\"tier.pro\";q=3;w=3600");
    assertThat(proxied(http, "X-Tier: gold").status()).isEqualTo(429);
    assertThat(proxied(http, "X-Tier: pro", "X-Tier: pro").status()).isEqualTo(429);
    Answer vip = proxied(http, "X-Tier: vip");
    assertThat(vip.isPassed()).isTrue();
    assertThat(vip.field("RateLimit-Policy")).doesNotContain("tier");
  }

  private static Answer proxied(RawHttp http, String... tier) {
    List<String> fields = new ArrayList<>(List.of(tier));
    fields.add(KEY + "a");
    return http.from(HttpScenarios.TRUSTED_PROXY, "GET", "/tier", fields.toArray(String[]::new));
  }

  private static Answer forwarded(RawHttp http, String path, String line) {
    return http.from(HttpScenarios.TRUSTED_PROXY, "GET", path, "X-Forwarded-For: " + line);
  }
}
