package dev.weir.http;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;

/**
 * Request fields made to impersonate another client, or to break the code that reads them:
 * CVE-2025-59152, CVE-2026-110723, CVE-2026-111934, CVE-2026-30827, CVE-2026-39409, CVE-2025-64526.
 */
final class HostileFieldScenarios {

  private static final String FORWARDED = "X-Forwarded-For: ";
  private static final String KEY = "X-API-Key: ";

  private HostileFieldScenarios() {}

  static List<HttpScenario> all() {
    return List.of(
        byAddress(
            "a forwarding field of a stranger is ignored",
            "spoofed",
            (http, path) -> {
              assertThat(http.get(path, FORWARDED + "203.0.113.1").isPassed()).isTrue();
              assertThat(http.get(path, FORWARDED + "203.0.113.2").status()).isEqualTo(429);
              assertThat(http.get(path, "X-Real-IP: 203.0.113.3").status()).isEqualTo(429);
              assertThat(http.get(path, "Forwarded: for=203.0.113.4").status()).isEqualTo(429);
            }),
        byAddress(
            "a trusted proxy's forwarding field is read",
            "proxied",
            (http, path) -> {
              assertThat(proxied(http, path, "203.0.113.1").isPassed()).isTrue();
              assertThat(proxied(http, path, "203.0.113.1").status()).isEqualTo(429);
              assertThat(proxied(http, path, "203.0.113.2").isPassed()).isTrue();
            }),
        byAddress(
            "what a client put before it is not",
            "appended",
            (http, path) -> {
              assertThat(proxied(http, path, "198.51.100.1, 203.0.113.1").isPassed()).isTrue();
              assertThat(proxied(http, path, "198.51.100.2, 203.0.113.1").status()).isEqualTo(429);
              assertThat(proxied(http, path, ", 203.0.113.1").status()).isEqualTo(429);
            }),
        byAddress(
            "repeated forwarding fields are one list",
            "repeated",
            (http, path) -> {
              assertThat(proxied(http, path, "203.0.113.1").isPassed()).isTrue();
              Answer answer =
                  http.from(
                      HttpScenarios.TRUSTED_PROXY,
                      "GET",
                      path,
                      FORWARDED + "198.51.100.1",
                      FORWARDED + "203.0.113.1");
              assertThat(answer.status()).isEqualTo(429);
            }),
        byAddress(
            "an IPv4-mapped address is the IPv4 address",
            "mapped",
            (http, path) -> {
              assertThat(proxied(http, path, "203.0.113.1").isPassed()).isTrue();
              assertThat(proxied(http, path, "::ffff:203.0.113.1").status()).isEqualTo(429);
              assertThat(proxied(http, path, "[::ffff:cb00:7101]:4711").status()).isEqualTo(429);
              assertThat(proxied(http, path, "::ffff:203.0.113.2").isPassed()).isTrue();
            }),
        byAddress(
            "an IPv6 network is one client",
            "network",
            (http, path) -> {
              assertThat(proxied(http, path, "2001:db8:0:1::1").isPassed()).isTrue();
              assertThat(proxied(http, path, "2001:db8:0:1:ffff::2").status()).isEqualTo(429);
              assertThat(proxied(http, path, "2001:db8:0:2::1").isPassed()).isTrue();
            }),
        byAddress(
            "what is no address is nobody's",
            "garbage",
            (http, path) -> {
              assertThat(proxied(http, path, "unknown").isPassed()).isTrue();
              assertThat(proxied(http, path, "127.1").status()).isEqualTo(429);
              assertThat(proxied(http, path, "2130706433").status()).isEqualTo(429);
              assertThat(proxied(http, path, "").status()).isEqualTo(429);
            }),
        byAddress(
            "a query that makes no URI is counted or refused",
            "broken",
            (http, path) -> {
              Answer first = http.get(path + "?either=this|that");
              assertThat(first.isPassed() || first.isMalformed()).as("%s", first).isTrue();
              Answer second = http.get(path + "?either=this|that");
              assertThat(second.isDenied() || second.isMalformed()).as("%s", second).isTrue();
            }),
        byKey(
            "a key of 4 KiB counts to its last letter",
            "long",
            (http, path) -> {
              String key = KEY + "k".repeat(4095);
              assertThat(http.get(path, key + "a").isPassed()).isTrue();
              assertThat(http.get(path, key + "a").status()).isEqualTo(429);
              assertThat(http.get(path, key + "b").isPassed()).isTrue();
            }),
        byKey(
            "a key of 8 KiB is counted or refused",
            "longer",
            (http, path) -> {
              String key = KEY + "k".repeat(8192);
              Answer first = http.get(path, key);
              assertThat(first.isPassed() || first.isMalformed()).isTrue();
              Answer second = http.get(path, key);
              assertThat(second.isDenied() || second.isMalformed()).isTrue();
            }),
        byKey(
            "braces in keys",
            "braces",
            (http, path) -> {
              for (String key : List.of("{a}", "{b}", "a}{b", "{}", "{", "}")) {
                assertThat(http.get(path, KEY + key).isPassed()).as(key).isTrue();
                assertThat(http.get(path, KEY + key).status()).as(key).isEqualTo(429);
              }
            }),
        byKey(
            "line breaks and control characters",
            "breaks",
            (http, path) -> {
              for (String key : List.of("a\rX-Evil: 1", "a\nX-Evil: 1", "a\0b", "a\u0001b")) {
                Answer answer = http.get(path, KEY + key);
                assertThat(answer.has("X-Evil")).isFalse();
                assertThat(answer.isMalformed() || answer.has("RateLimit")).as(key).isTrue();
              }
            }),
        byKey(
            "a repeated field is counted",
            "twice",
            (http, path) -> {
              assertThat(http.get(path, KEY + "a", KEY + "b").isPassed()).isTrue();
              assertThat(http.get(path, KEY + "a", KEY + "b").status()).isEqualTo(429);
            }),
        byKey(
            "a key that is not ASCII",
            "latin",
            (http, path) -> {
              Answer first = http.get(path, KEY + "k\u00e4se");
              Answer second = http.get(path, KEY + "k\u00e4se");
              assertThat(first.isPassed() || first.isMalformed()).as("%s", first).isTrue();
              assertThat(second.status()).isEqualTo(first.isPassed() ? 429 : first.status());
            }),
        byKey(
            "no key is ever shown",
            "secret",
            (http, path) -> {
              http.get(path, KEY + "s3cr3t");
              Answer denied = http.get(path, KEY + "s3cr3t");
              assertThat(denied.status()).isEqualTo(429);
              assertThat(denied.toString()).doesNotContain("s3cr3t");
            }));
  }

  /** What is done to a path of its own. */
  private interface Attack {
    void on(RawHttp http, String path);
  }

  private static HttpScenario byAddress(String what, String name, Attack attack) {
    return HttpScenario.of("field: " + what, rule(name, "ip"), http -> attack.on(http, "/" + name));
  }

  private static HttpScenario byKey(String what, String name, Attack attack) {
    return HttpScenario.of(
        "field: " + what, rule(name, "header:X-API-Key"), http -> attack.on(http, "/" + name));
  }

  private static String rule(String name, String subject) {
    return "{ name: %s, match: /%s, subject: %s, limits: [1 per hour] }"
        .formatted(name, name, subject);
  }

  private static Answer proxied(RawHttp http, String path, String forwardedFor) {
    return http.from(HttpScenarios.TRUSTED_PROXY, "GET", path, FORWARDED + forwardedFor);
  }
}
