package dev.weir.http;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;

/** Tenants by the host that a request names. */
final class HostScenarios {

  private HostScenarios() {}

  static List<HttpScenario> all() {
    return List.of(
        HttpScenario.of(
            "host: a tenant is its host, however a client spells it",
            "{ name: tenants, match: /tenants, subject: host, limits: [2 per hour] }",
            HostScenarios::tenants),
        HttpScenario.of(
            "host: an IPv6 address is a host of its own",
            "{ name: literals, match: /literals, subject: host, limits: [1 per hour] }",
            HostScenarios::literals),
        HttpScenario.of(
            "host: the header is the authority, without the scheme's own port",
            "{ name: authorities, match: /authorities, subject: header:Host, limits: [1 per hour] }",
            HostScenarios::authorities));
  }

  private static void tenants(RawHttp http) {
    assertThat(http.get("/tenants", "Host: a.example").isPassed()).isTrue();
    assertThat(http.get("/tenants", "Host: A.Example.:" + http.port()).isPassed()).isTrue();
    assertThat(http.get("/tenants", "Host: a.example:80").status()).isEqualTo(429);
    assertThat(http.get("/tenants", "Host: b.example").isPassed()).isTrue();
  }

  private static void literals(RawHttp http) {
    assertThat(http.get("/literals", "Host: [2001:db8::1]").isPassed()).isTrue();
    assertThat(http.get("/literals", "Host: [2001:DB8::1]:" + http.port()).status()).isEqualTo(429);
    assertThat(http.get("/literals", "Host: [2001:db8::2]:" + http.port()).isPassed()).isTrue();
  }

  private static void authorities(RawHttp http) {
    assertThat(http.get("/authorities", "Host: a.example").isPassed()).isTrue();
    assertThat(http.get("/authorities", "Host: a.example:80").status()).isEqualTo(429);
    assertThat(http.get("/authorities", "Host: a.example:" + http.port()).isPassed()).isTrue();
    assertThat(http.get("/authorities", "Host: b.example").isPassed()).isTrue();
  }
}
