package dev.weir.config;

import static dev.weir.config.BadCase.bad;
import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.http.ClientPolicy.KeyDigest;
import dev.weir.http.FakeRequest;
import dev.weir.http.RequestFunction;
import dev.weir.http.RequestView;
import dev.weir.http.spi.Outcome.Field;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Tiers and overrides in a file. */
class TiersTest {

  @Test
  void a_header_of_a_trusted_proxy_tells_the_plan() {
    String source = "{ header: X-Tier, otherwise: free }";
    try (Weir weir = weir(source)) {
      assertThat(policy(weir, FakeRequest.get("/").from("10.0.0.1").header("X-Tier", "pro")))
          .isEqualTo("\"fast\";q=9;w=1, \"daily\";q=99;w=86400");
      assertThat(policy(weir, FakeRequest.get("/").header("X-Tier", "pro")))
          .isEqualTo("\"r.free\";q=2;w=1");
      assertThat(policy(weir, FakeRequest.get("/").from("10.0.0.1").header("X-Tier", "vip")))
          .isEmpty();
    }
  }

  @Test
  void roles_tell_the_plan_in_their_order() {
    try (Weir weir = weir("{ roles: { admin: vip, customer: pro }, otherwise: free }")) {
      FakeRequest both = FakeRequest.get("/").principal("ann").roles("customer", "admin");
      assertThat(policy(weir, both)).isEmpty();
      assertThat(policy(weir, FakeRequest.get("/").principal("bob").roles("customer")))
          .startsWith("\"fast\"");
    }
  }

  @Test
  void a_file_of_keys_tells_the_plan(@TempDir Path directory) throws IOException {
    Path file =
        Files.writeString(
            directory.resolve("tiers"), KeyDigest.of("k1").hex() + " pro  # the first\n");
    String source = "{ key: header:X-API-Key, file: '" + file + "', otherwise: free }";
    try (Weir weir = weir(source)) {
      assertThat(policy(weir, FakeRequest.get("/").header("X-API-Key", "k1")))
          .startsWith("\"fast\"");
      assertThat(policy(weir, FakeRequest.get("/").header("X-API-Key", "k2")))
          .startsWith("\"r.free\"");
    }
  }

  @Test
  void a_class_of_the_users_tells_the_plan() {
    try (Weir weir = weir("{ class: " + Query.class.getName() + ", otherwise: free }")) {
      assertThat(policy(weir, FakeRequest.get("/").query("tier", "pro"))).startsWith("\"fast\"");
      assertThat(policy(weir, FakeRequest.get("/"))).startsWith("\"r.free\"");
    }
  }

  @Test
  void who_is_overridden_has_other_limits() {
    String yaml =
        """
        limits: { slow: 1 per second, big: 50 per second }
        rules:
          - name: r
            match: /**
            limits: slow
            overrides:
              - { clients: 192.0.2.7, limits: [big] }
              - { clients: { key: header:X-API-Key, sha256: %s }, limits: 70 per second }
        """
            .formatted(KeyDigest.of("k1").hex());
    try (Weir weir = Weir.of(yaml)) {
      assertThat(policy(weir, FakeRequest.get("/"))).isEqualTo("\"slow\";q=1;w=1");
      assertThat(policy(weir, FakeRequest.get("/").from("192.0.2.7")))
          .isEqualTo("\"big\";q=50;w=1");
      assertThat(policy(weir, FakeRequest.get("/").header("X-API-Key", "k1")))
          .isEqualTo("\"r.override-2\";q=70;w=1");
      assertThat(Weirs.settings(yaml).origin().notes()).isEmpty();
    }
  }

  @Test
  void a_line_of_plans_that_is_wrong_is_told(@TempDir Path directory) throws IOException {
    String key = KeyDigest.of("k1").hex();
    Path file =
        Files.writeString(
            directory.resolve("tiers"),
            String.join("\n", key + " pro", key, key + " free", "sk_live pro", key + " pro x"));
    String yaml = "tiers: { t: { key: header:X, file: '" + file + "', otherwise: free } }";
    assertThat(Complaints.of(() -> Weirs.settings(yaml)))
        .extracting(problem -> problem.found().substring(0, 6) + ": " + problem.expected())
        .containsExactly(
            "line 2: the SHA-256 of a key as 64 hexadecimal digits and its tier",
            "line 3: each key once",
            "line 4: the SHA-256 of a key as 64 hexadecimal digits and its tier",
            "line 5: the SHA-256 of a key as 64 hexadecimal digits and its tier");
  }

  @ParameterizedTest
  @MethodSource({"tiers", "sources", "rules"})
  void is_refused(BadCase wrong) {
    wrong.verifyFile(FakeVariables.EMPTY);
  }

  static Stream<BadCase> tiers() {
    return Stream.of(
        bad("tiers: »[]", "tiers", "an empty list", "tiers by name"),
        bad("tiers: { t: »x }", "tiers.t", "'x'", "a map with header"),
        source("»{ otherwise: a }", ".header", "nothing", "one of header, roles, key, class"),
        source(
            "{ roles: { a: b }, class: »x.Y, otherwise: a }",
            ".class",
            "class together with roles",
            "only one of"),
        source("{ roles: { a: b }, »rolse: c, otherwise: a }", ".rolse", "'rolse'", "one of header")
            .suggests("roles"),
        source("»{ roles: { a: b } }", ".otherwise", "nothing", "the tier of all other clients"),
        source("{ roles: »x, otherwise: a }", ".roles", "'x'", "roles and their tiers"),
        source(
            "{ roles: { b: c, a: »[] }, otherwise: a }",
            ".roles.a",
            "an empty list",
            "name of a tier"),
        source("»{ key: header:X, otherwise: a }", ".file", "nothing", "a file with the SHA-256"),
        source(
            "{ roles: { a: b }, file: »x, otherwise: a }",
            ".file",
            "'x'",
            "no file, which belongs to key"));
  }

  /** Sources of tiers that are not there. */
  static Stream<BadCase> sources() {
    return Stream.of(
        source("{ header: »X-Tier, otherwise: a }", ".header", "'X-Tier'", "trusted-proxies in"),
        source("{ roles: »{}, otherwise: a }", ".roles", "roles {}", "at least one role"),
        source("{ key: header:X, file: »/no, otherwise: a }", ".file", "'/no'", "that exists"),
        source("{ class: »x.Y, otherwise: a }", ".class", "class 'x.Y'", "can load"),
        source(
            "{ class: »java.lang.String, otherwise: a }",
            ".class",
            "class 'java.lang.String'",
            ""));
  }

  private static BadCase source(String source, String field, String found, String expected) {
    return bad("tiers:\n  t: " + source + "\n", "tiers.t" + field, found, expected);
  }

  static Stream<BadCase> rules() {
    return Stream.of(
        rule("tier: »proxid, limits: { free: a }", "tier", "'proxid'", "one of the tiers proxied")
            .suggests("proxied"),
        bad(
            "rules:\n  - { name: r, match: /**, tier: »proxied, limits: { free: 1/s } }",
            "rules[0].tier",
            "'proxied'",
            "'tiers' names none"),
        bad(
            "tiers: { proxied: { roles: { x: pro }, otherwise: free } }\nrules:\n  - »{ name: r, match: /**, tier: proxied }",
            "rules[0].limits",
            "nothing",
            "limits for each tier"),
        rule("tier: proxied, limits: »a", "limits", "'a'", "limits for each tier"),
        rule("tier: proxied, limits: »{ free: a }", "limits", "limits [free]", "tier 'pro' too"),
        rule(
            "tier: proxied, limits: { free: »b, pro: a }",
            "limits.free",
            "'b'",
            "one of the limits"),
        rule(
            "tier: proxied, limits: { free: a, pro: »~ }", "limits.pro", "nothing", "the names of"),
        rule(
            "tier: proxied, limits: { free: a, pro: unlimited }, cost: »6",
            "cost",
            "'6'",
            "at most 5, for limit 'a'"),
        rule("limits: a, overrides: »x", "overrides", "'x'", "a list of overrides"),
        rule("limits: a, overrides: [»{ limits: a }]", "overrides[0].clients", "nothing", "a netw"),
        rule(
            "limits: a, overrides: [»{ clients: 10.0.0.1 }]", "overrides[0].limits", "nothing", ""),
        rule(
            "limits: a, overrides: [{ clients: 10.0.0.1, limits: »b }]",
            "overrides[0].limits",
            "'b'",
            "one of the limits a"));
  }

  private static BadCase rule(String body, String field, String found, String expected) {
    return bad(
        "limits: { a: 5 per second }\n"
            + "tiers: { proxied: { roles: { x: pro }, otherwise: free } }\n"
            + "rules:\n  - { name: r, match: /**, "
            + body
            + " }\n",
        "rules[0]." + field,
        found,
        expected);
  }

  private static Weir weir(String source) {
    return Weir.of(
        """
        client-address: { trusted-proxies: [10.0.0.0/8] }
        limits: { fast: 9 per second, daily: 99 per day window }
        tiers:
          proxied: %s
        rules:
          - { name: r, match: /**, tier: proxied, limits: { free: 2 per second, pro: [fast, daily], vip: unlimited } }
        """
            .formatted(source));
  }

  private static String policy(Weir weir, FakeRequest request) {
    return weir.limiter().limit(request).fields().stream()
        .filter(field -> field.name().equals("RateLimit-Policy"))
        .map(Field::value)
        .findFirst()
        .orElse("");
  }

  /** Believes the query, as no other should. */
  public static final class Query implements RequestFunction {

    @Override
    public Optional<String> apply(RequestView request) {
      return request.query("tier");
    }
  }
}
