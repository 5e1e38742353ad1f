package dev.weir.http;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;

/** Which requests are charged, and to which subject. */
final class ChargeScenarios {

  private static final String KEY = "X-API-Key: ";

  private ChargeScenarios() {}

  static List<HttpScenario> all() {
    return List.of(
        HttpScenario.of(
            "charge: one key does not spend another's permits",
            "{ name: keyed, match: /keyed, subject: header:X-API-Key, limits: [1 per minute] }",
            ChargeScenarios::otherKey),
        HttpScenario.of(
            "charge: a missing key falls back to the address",
            "{ name: keyless, match: /keyless, subject: header:X-API-Key, limits: [1 per minute] }",
            ChargeScenarios::missingKey),
        new HttpScenario(
            "charge: several rules are charged all or not at all",
            List.of(
                "{ name: both-key, match: /both, subject: header:X-API-Key, limits: [2 per hour] }",
                "{ name: both-all, match: /both, subject: global, limits: [3 per hour] }"),
            ChargeScenarios::allOrNothing),
        HttpScenario.of(
            "charge: HEAD counts like GET",
            "{ name: head, match: GET /head, subject: ip, limits: [1 per minute] }",
            ChargeScenarios::head),
        HttpScenario.of(
            "charge: a rule of one method leaves the others alone",
            "{ name: posts, match: POST /posts, subject: ip, limits: [1 per minute] }",
            ChargeScenarios::method),
        HttpScenario.of(
            "charge: a preflight is not charged to keys",
            "{ name: preflight, match: /preflight, subject: header:X-API-Key, limits: [1 per hour] }",
            ChargeScenarios::preflight),
        HttpScenario.of(
            "charge: other OPTIONS are",
            "{ name: options, match: /options, subject: ip, limits: [1 per minute] }",
            ChargeScenarios::options),
        HttpScenario.of(
            "charge: the query names the subject, decoded",
            "{ name: query, match: /query, subject: 'query:user', limits: [1 per minute] }",
            ChargeScenarios::query),
        HttpScenario.of(
            "charge: a cookie names the subject",
            "{ name: cookie, match: /cookie, subject: 'cookie:user', limits: [1 per minute] }",
            ChargeScenarios::cookie),
        HttpScenario.of(
            "charge: a second cookie buys nothing",
            "{ name: cookies, match: /cookies, subject: 'cookie:sid', limits: [1 per hour] }",
            ChargeScenarios::secondCookie),
        HttpScenario.of(
            "charge: a variable of the path names the subject",
            "{ name: orders, match: '/orders/{id}/items', subject: path:id, limits: [1 per hour] }",
            ChargeScenarios::variable),
        HttpScenario.of(
            "charge: a key is one key in a header and in the query",
            "{ name: keys, match: /keys, subject: { first-of: [header:X-Key, query:key] }, limits: [1 per hour] }",
            ChargeScenarios::firstOf),
        HttpScenario.of(
            "charge: a name of Basic authentication counts with the address",
            "{ name: names, match: /names, subject: basic-user, limits: [1 per hour] }",
            ChargeScenarios::basicUser),
        HttpScenario.of(
            "charge: the form that is posted is no query",
            "{ name: form, match: POST /form, subject: 'query:user', limits: [1 per minute] }",
            ChargeScenarios::form),
        HttpScenario.of(
            "charge: paths of one template share a counter",
            "{ name: template, match: '/template/{id}', subject: [ip, path], limits: [1 per hour] }",
            ChargeScenarios::template),
        HttpScenario.of(
            "charge: the query tells the cost, within bounds",
            "{ name: sized, match: /sized, subject: ip, limits: [100 per hour window], cost: { query: size, to: 40, otherwise: 7 } }",
            ChargeScenarios::sized),
        HttpScenario.of(
            "charge: a header tells the cost, and two lines the most",
            "{ name: rows, match: /rows, subject: ip, limits: [100 per hour window], cost: { header: X-Rows, to: 40 } }",
            ChargeScenarios::rows),
        HttpScenario.of(
            "charge: a body costs its length, and a chunked one what is stated",
            "{ name: upload, match: POST /upload, subject: ip, limits: [100 B per day window], cost: { request: bytes, unknown: 50 B } }",
            ChargeScenarios::upload));
  }

  private static void otherKey(RawHttp http) {
    assertThat(http.get("/keyed", KEY + "a").isPassed()).isTrue();
    assertThat(http.get("/keyed", KEY + "a").status()).isEqualTo(429);
    assertThat(http.get("/keyed", KEY + "b").isPassed()).isTrue();
  }

  private static void missingKey(RawHttp http) {
    assertThat(http.get("/keyless").isPassed()).isTrue();
    assertThat(http.get("/keyless").status()).isEqualTo(429);
    assertThat(http.get("/keyless", KEY + "a").isPassed()).isTrue();
    assertThat(http.get("/keyless", KEY + "127.0.0.1").isPassed()).isTrue();
  }

  private static void allOrNothing(RawHttp http) {
    http.get("/both", KEY + "a");
    http.get("/both", KEY + "a");
    Answer denied = http.get("/both", KEY + "a");
    assertThat(denied.field("RateLimit")).startsWith("\"both-key\";r=0;");
    assertThat(denied.body()).contains("\"violated-policies\":[\"both-key\"]");
    assertThat(http.get("/both", KEY + "b").isPassed()).as("the third of three").isTrue();
    Answer exhausted = http.get("/both", KEY + "b");
    assertThat(exhausted.status()).isEqualTo(429);
    assertThat(exhausted.field("RateLimit")).startsWith("\"both-all\";r=0;");
  }

  private static void head(RawHttp http) {
    assertThat(http.send("HEAD", "/head").isPassed()).isTrue();
    assertThat(http.get("/head").status()).isEqualTo(429);
  }

  private static void method(RawHttp http) {
    assertThat(http.post("/posts").isPassed()).isTrue();
    assertThat(http.post("/posts").status()).isEqualTo(429);
    assertThat(http.get("/posts").field("RateLimit")).startsWith("\"flood\"");
  }

  private static void preflight(RawHttp http) {
    for (int i = 0; i < 3; i++) {
      Answer answer =
          http.send(
              "OPTIONS",
              "/preflight",
              "Origin: https://shop.example",
              "Access-Control-Request-Method: GET");
      assertThat(answer.isPassed()).isTrue();
      assertThat(answer.field("RateLimit")).startsWith("\"flood\"");
    }
    assertThat(http.get("/preflight").isPassed()).isTrue();
    assertThat(http.get("/preflight").status()).isEqualTo(429);
  }

  private static void options(RawHttp http) {
    assertThat(http.send("OPTIONS", "/options").isPassed()).isTrue();
    assertThat(http.send("OPTIONS", "/options").status()).isEqualTo(429);
  }

  private static void query(RawHttp http) {
    assertThat(http.get("/query?user=J%C3%BCrgen").isPassed()).isTrue();
    assertThat(http.get("/query?x=1&user=J%c3%bcrg%65n").status()).isEqualTo(429);
    assertThat(http.get("/query?user=Other").isPassed()).isTrue();
  }

  private static void cookie(RawHttp http) {
    assertThat(http.get("/cookie", "Cookie: user=a; x=1").isPassed()).isTrue();
    assertThat(http.get("/cookie", "Cookie: y=2; user=a").status()).isEqualTo(429);
    assertThat(http.get("/cookie", "Cookie: user=b").isPassed()).isTrue();
    assertThat(http.get("/cookie", "Cookie: user=g; user=g").isPassed()).isTrue();
    assertThat(http.get("/cookie", "Cookie: user=g").status()).isEqualTo(429);
  }

  private static void secondCookie(RawHttp http) {
    assertThat(http.get("/cookies", "Cookie: sid=K").isPassed()).isTrue();
    for (String second : List.of("sid=K; sid=z", "sid=z; sid=K", "sid=; sid=K", "sid; sid=K")) {
      assertThat(http.get("/cookies", "Cookie: " + second).status()).as(second).isEqualTo(429);
    }
    assertThat(http.get("/cookies", "Cookie: sid=K", "Cookie: sid=z").status()).isEqualTo(429);
    assertThat(http.get("/cookies", "Cookie: sid=z").isPassed()).as("a denial is free").isTrue();
    assertThat(http.get("/cookies").isPassed()).as("nor is the address charged").isTrue();
    assertThat(http.get("/cookies", "Cookie: sid=a; sid=b").isPassed()).isTrue();
    assertThat(http.get("/cookies", "Cookie: sid=a").status()).isEqualTo(429);
    assertThat(http.get("/cookies", "Cookie: sid=b").status()).isEqualTo(429);
    assertThat(http.get("/cookies", "Cookie: sid=c; sid=d; sid=e; sid=f; sid=g").status())
        .as("more than are counted")
        .isEqualTo(403);
  }

  private static void form(RawHttp http) {
    assertThat(http.postForm("/form", "user=a").isPassed()).isTrue();
    assertThat(http.postForm("/form", "user=b").status()).as("both by address").isEqualTo(429);
    assertThat(http.postForm("/form?user=c", "user=b").isPassed()).isTrue();
  }

  private static void sized(RawHttp http) {
    assertThat(http.get("/sized?size=3").field("RateLimit")).startsWith("\"sized\";r=97;");
    assertThat(http.get("/sized").field("RateLimit")).startsWith("\"sized\";r=90;");
    assertThat(http.get("/sized?size=-5").field("RateLimit")).startsWith("\"sized\";r=50;");
    assertThat(http.get("/sized?size=1&size=1").field("RateLimit")).startsWith("\"sized\";r=10;");
    assertThat(http.get("/sized?size=%2B1").status()).isEqualTo(429);
    assertThat(http.get("/sized?size=%310").field("RateLimit")).startsWith("\"sized\";r=0;");
  }

  private static void rows(RawHttp http) {
    assertThat(http.get("/rows", "x-rows: 20").field("RateLimit")).startsWith("\"rows\";r=80;");
    assertThat(http.get("/rows", "X-Rows: 1", "X-Rows: 1").field("RateLimit"))
        .startsWith("\"rows\";r=40;");
    assertThat(http.get("/rows").field("RateLimit")).startsWith("\"rows\";r=0;");
  }

  private static void template(RawHttp http) {
    assertThat(http.get("/template/1").isPassed()).isTrue();
    assertThat(http.get("/template/2").status()).isEqualTo(429);
  }

  private static void variable(RawHttp http) {
    assertThat(http.get("/orders/7/items").isPassed()).isTrue();
    assertThat(http.get("/orders/7/items").status()).isEqualTo(429);
    assertThat(http.get("/orders/%37/items").status()).isEqualTo(429);
    assertThat(http.get("/orders/8/items").isPassed()).isTrue();
  }

  private static void firstOf(RawHttp http) {
    assertThat(http.get("/keys", "X-Key: K").isPassed()).isTrue();
    assertThat(http.get("/keys?key=K").status()).isEqualTo(429);
    assertThat(http.get("/keys?key=K", "X-Key: made-up").status()).isEqualTo(429);
    assertThat(http.get("/keys?key=other").isPassed()).isTrue();
  }

  private static void basicUser(RawHttp http) {
    String ada = "Authorization: Basic YWRhOjE=";
    assertThat(http.get("/names", ada).isPassed()).isTrue();
    assertThat(http.get("/names", "Authorization: basic YWRhOjI=").status()).isEqualTo(429);
    assertThat(http.get("/names", "Authorization: Basic Ym9iOjE=").isPassed()).isTrue();
    assertThat(http.from("127.0.0.2", "GET", "/names", ada).isPassed()).isTrue();
  }

  private static void upload(RawHttp http) {
    assertThat(http.postForm("/upload", "user=" + "x".repeat(25)).isPassed()).isTrue();
    assertThat(http.postChunkedForm("/upload", "user=a").isPassed()).isTrue();
    assertThat(http.postChunkedForm("/upload", "user=a").status()).as("20 left").isEqualTo(429);
    assertThat(http.postForm("/upload", "user=" + "x".repeat(16)).status()).isEqualTo(429);
    assertThat(http.postForm("/upload", "user=" + "x".repeat(15)).isPassed()).isTrue();
    assertThat(http.postForm("/upload", "").status()).as("costs one").isEqualTo(429);
  }
}
