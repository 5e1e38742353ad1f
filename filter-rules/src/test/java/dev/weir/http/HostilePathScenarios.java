package dev.weir.http;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;

/**
 * Other spellings of a limited path: CVE-2023-38507, CVE-2023-4853, CVE-2025-71399, CVE-2026-39852,
 * CVE-2026-50559. Each is either the same path, and so denied once that is exhausted; or a server
 * refuses it; or it is another path, which the catch-all rule counts. None is free.
 */
final class HostilePathScenarios {

  private HostilePathScenarios() {}

  static List<HttpScenario> all() {
    return List.of(
        samePath("a trailing slash", "/slash/login", "/slash/login/"),
        samePath("an empty segment", "/empty/login", "//empty/login"),
        samePath("an empty segment in the middle", "/middle/login", "/middle//login"),
        samePath("a dot", "/dot/login", "/./dot/login"),
        samePath("a dot in the middle", "/dots/login", "/dots/./login"),
        samePath("a way up", "/up/login", "/x/../up/login"),
        samePath("a way up in the middle", "/upper/login", "/upper/x/../login"),
        samePath("an encoded letter", "/letter/login", "/letter/%6Cogin"),
        samePath("an encoded dot", "/encoded/login", "/%2e/encoded/login"),
        samePath("a matrix parameter", "/matrix/login", "/matrix/login;jsessionid=1"),
        samePath("a matrix parameter in the middle", "/inner/login", "/inner;x/login"),
        samePath("an empty matrix parameter", "/semicolon/login", "/semicolon/login;"),
        samePath("a matrix parameter that climbs", "/climb/login", "/climb/login;x=%2F..%2F"),
        HttpScenario.of(
            "path: an encoded slash does not lead out of a template's segment",
            "{ name: segment, match: '/segment/{id}', subject: ip, limits: [1 per hour] }",
            HostilePathScenarios::segment),
        neverFree("an encoded semicolon", "/hidden/login", "/hidden/login%3Bx"),
        neverFree("an encoded slash at the end", "/solidus/login", "/solidus/login%2F"),
        neverFree("an encoded slash", "/solid/login", "/solid%2Flogin"),
        neverFree("a backslash", "/back/login", "/back%5Clogin"),
        neverFree("a percent sign that is encoded", "/twice/login", "/twice/%256Cogin"),
        neverFree("a null character", "/null/login", "/null/login%00"),
        neverFree("what is no UTF-8", "/utf/login", "/utf/login%ff"),
        neverFree("half an escape", "/half/login", "/half/login%4"),
        neverFree("a matrix parameter on a way up", "/way/login", "/x/..;/way/login"),
        below("a way up and out", "/out", "/out/a/../../zz"),
        below("an encoded way up and out", "/encoded-out", "/encoded-out/a/%2e%2e/%2E./zz"),
        below("a way up with a parameter", "/out-of", "/out-of/a/..;a=b/..;/zz"),
        below("a way up alone", "/in/alone", "/in/alone/.."),
        below("an encoded way up alone", "/in/alone-too", "/in/alone-too/%2e%2e"),
        HttpScenario.of(
            "path: a way up into an exception is not free",
            "{ name: into, match: /into/**, except: [/into/free/**, /into/health],"
                + " subject: ip, limits: [1 per hour] }",
            HostilePathScenarios::intoAnException),
        otherPath("another case", "/case/login", "/CASE/LOGIN"),
        HttpScenario.of(
            "path: a rule for a path that is not ASCII",
            "{ name: non-ascii, match: /käse/login, subject: ip, limits: [1 per hour] }",
            HostilePathScenarios::nonAscii),
        HttpScenario.of(
            "path: a method override does not change the rule",
            "{ name: override, match: POST /override, subject: ip, limits: [1 per hour] }",
            HostilePathScenarios::override),
        HttpScenario.of(
            "path: a method that the query overrides has its rule",
            "{ name: overridden, match: DELETE /overridden, subject: ip, limits: [1 per hour] }",
            HostilePathScenarios::overridden),
        HttpScenario.of(
            "path: a method that the form overrides has its rule",
            "{ name: in-form, match: DELETE /in-form, subject: ip, limits: [1 per hour] }",
            HostilePathScenarios::overriddenByForm),
        HttpScenario.of(
            "path: a method in another case is not free",
            "{ name: folded, match: POST /folded, subject: ip, limits: [1 per hour] }",
            HostilePathScenarios::folded));
  }

  private static HttpScenario samePath(String what, String path, String variant) {
    return HttpScenario.of(
        "path: " + what + " is the same path",
        rule(path),
        http -> {
          exhaust(http, path);
          Answer answer = http.get(variant);
          assertThat(answer.isDenied() || answer.isMalformed()).as(answer.toString()).isTrue();
        });
  }

  /** A router that resolves no dots, such as Jersey, still routes it to a path below. */
  private static HttpScenario below(String what, String path, String variant) {
    return HttpScenario.of(
        "path: " + what + " of what a rule is for is not free",
        rule(path).replace(path, path + "/**"),
        http -> {
          exhaust(http, path + "/a");
          Answer answer = http.get(variant);
          assertThat(answer.isDenied() || answer.isMalformed()).as(answer.toString()).isTrue();
        });
  }

  private static HttpScenario neverFree(String what, String path, String variant) {
    return HttpScenario.of(
        "path: " + what + " is not free",
        rule(path),
        http -> {
          exhaust(http, path);
          assertIsNotFree(http.get(variant));
        });
  }

  private static HttpScenario otherPath(String what, String path, String variant) {
    return HttpScenario.of(
        "path: " + what + " is another path",
        rule(path),
        http -> {
          exhaust(http, path);
          assertThat(http.get(variant).field("RateLimit")).startsWith("\"flood\"");
        });
  }

  private static void assertIsNotFree(Answer answer) {
    assertThat(answer.isDenied() || answer.isMalformed() || answer.has("RateLimit"))
        .as(answer.toString())
        .isTrue();
    assertThat(answer.status()).isLessThan(500);
  }

  private static void exhaust(RawHttp http, String path) {
    assertThat(http.get(path).isPassed()).isTrue();
    assertThat(http.get(path).status()).isEqualTo(429);
  }

  private static String rule(String path) {
    String name = path.substring(1).replace('/', '-');
    return "{ name: " + name + ", match: " + path + ", subject: ip, limits: [1 per hour] }";
  }

  private static void segment(RawHttp http) {
    exhaust(http, "/segment/a");
    for (String path : List.of("/segment/a%2Fb", "/segment/a%2fb", "/segment/a%2F..%2F..%2Fb")) {
      Answer answer = http.get(path);
      assertThat(answer.isDenied() || answer.isMalformed()).as(path + " " + answer).isTrue();
    }
  }

  private static void intoAnException(RawHttp http) {
    exhaust(http, "/into/a");
    assertThat(http.get("/into/free/a").isPassed()).isTrue();
    assertThat(http.get("/into/health;jsessionid=1").isPassed()).isTrue();
    for (String path : List.of("/into/a/../free/a", "/into/a/../health")) {
      assertThat(http.get(path).status()).as(path).isEqualTo(429);
    }
  }

  private static void nonAscii(RawHttp http) {
    assertThat(http.get("/k%C3%A4se/login").isPassed()).isTrue();
    assertThat(http.get("/k%c3%a4se/login").status()).isEqualTo(429);
  }

  private static void override(RawHttp http) {
    assertThat(http.post("/override").isPassed()).isTrue();
    Answer header = http.post("/override", "X-HTTP-Method-Override: GET");
    assertThat(header.status()).isEqualTo(429);
    assertThat(http.post("/override?_method=GET").status()).isEqualTo(429);
    assertThat(http.postForm("/override", "_method=GET").status()).isEqualTo(429);
  }

  private static void overridden(RawHttp http) {
    http.post("/overridden?a=b&_method=DELETE");
    assertThat(http.post("/overridden?_method=delete").status()).isEqualTo(429);
    assertThat(http.post("/overridden?_method=GET&_method=DELETE").status()).isEqualTo(429);
    assertThat(http.post("/overridden", "X-HTTP-Method: DELETE").status()).isEqualTo(429);
    assertThat(http.post("/overridden").isPassed()).isTrue();
  }

  private static void overriddenByForm(RawHttp http) {
    assertThat(http.post("/in-form", "Content-Type: text/plain").isPassed()).isTrue();
    assertThat(http.postForm("/in-form", "a=b&_method=DELETE").isPassed()).isTrue();
    assertThat(http.postForm("/in-form", "_method=DELETE").status()).isEqualTo(429);
    assertThat(http.send("DELETE", "/in-form").status()).isEqualTo(429);
  }

  private static void folded(RawHttp http) {
    assertThat(http.post("/folded").isPassed()).isTrue();
    Answer answer = http.send("post", "/folded");
    assertThat(answer.isDenied() || answer.isMalformed()).as(answer.toString()).isTrue();
  }
}
