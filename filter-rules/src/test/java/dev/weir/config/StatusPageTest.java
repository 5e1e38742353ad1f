package dev.weir.config;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.weir.config.StatusPage.Answer;
import dev.weir.fixture.LogCapture;
import dev.weir.http.FakeRequest;
import dev.weir.redis.RedisServer;
import dev.weir.redis.RedisVersion;
import java.io.ByteArrayInputStream;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Who may read the page of the status, and what it shows. */
@SuppressWarnings("try") // the page joins the Weir that runs
class StatusPageTest {

  private static final String RULES =
      """
      rules:
        - { name: login, match: /**, subject: ip, limits: [2 per hour], deny: 192.0.2.66 }
        - { name: trial, match: /**, subject: global, limits: [1 per hour], on-denial: shadow }
      """;

  // ---------------------------------------------------------------- who may read it

  @Test
  void nobody_may_read_it_until_allow_says_who_and_a_warning_says_so() {
    try (LogCapture log = new LogCapture("dev.weir.config");
        Weir weir = Weir.of(RULES);
        StatusPage page = page(Map.of())) {
      assertThat(answer(page, localRequest())).isEmpty();
      assertThat(answer(page, localRequest().principal("admin"))).isEmpty();
      assertThat(log.text())
          .contains("the status page answers 404 to everybody")
          .contains("no init-param 'allow'");
    }
  }

  @ParameterizedTest
  @CsvSource({
    "127.0.0.1,            true",
    "127.0.0.2,            false",
    "10.1.2.3,             true",
    "10.1.3.3,             false",
    "::ffff:10.1.2.3,      true",
    "2001:db8:0:0:0:0:0:1, true",
    "2001:db8:1::1,        false",
    "'',                   false",
    "unknown,              false"
  })
  void a_peer_outside_of_the_networks_sees_no_page(String peer, boolean isAllowed) {
    try (Weir weir = Weir.of(RULES);
        StatusPage page = page(Map.of("allow", "127.0.0.1, 10.1.2.0/24\n 2001:db8::/48"))) {
      assertThat(answer(page, localRequest().from(peer)).isPresent()).isEqualTo(isAllowed);
      assertThat(answer(page, localRequest().from(null))).isEmpty();
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "X-Forwarded-For",
        "x-forwarded-for",
        "Forwarded",
        "X-Real-IP",
        "CF-Connecting-IP",
        "True-Client-IP",
        "CloudFront-Viewer-Address",
        "Via",
        "X-Forwarded-Proto",
        "X-Forwarded-Host",
        "X-Envoy-External-Address",
        "X-Our-Client",
        "$WSSN"
      })
  void a_request_that_has_passed_a_proxy_sees_no_page(String field) {
    String configuration =
        "client-address: { trusted-proxies: [{ networks: [10.9.9.9], header: X-Our-Client }] }\n";
    try (Weir weir = Weir.of(configuration + RULES);
        StatusPage page = page(Map.of("allow", "127.0.0.1"))) {
      assertThat(answer(page, localRequest())).isPresent();
      assertThat(answer(page, localRequest().header(field, "127.0.0.1"))).isEmpty();
      assertThat(answer(page, localRequest().rewritten())).isEmpty();
    }
  }

  @Test
  void with_authenticated_each_user_may_read_it_and_nobody_else() {
    try (Weir weir = Weir.of(RULES);
        StatusPage page = page(Map.of("allow", "authenticated"))) {
      FakeRequest request = localRequest().header("X-Forwarded-For", "192.0.2.9");
      assertThat(answer(page, request)).isEmpty();
      assertThat(answer(page, request.principal("admin"))).isPresent();
    }
  }

  @ParameterizedTest
  @CsvSource({
    "127.0.0.1,            true",
    "127.0.0.1:8080,       true",
    "[::1]:8080,           true",
    "192.0.2.9,            true",
    "localhost,            true",
    "LOCALHOST:8080,       true",
    "shop-1.internal,      true",
    "Shop-1.Internal.:80,  true",
    "shop-2.internal,      false",
    "evil.example,         false",
    "127.0.0.1.evil.example, false",
    "'',                   false"
  })
  void a_foreign_host_sees_no_page(String host, boolean isAllowed) {
    Map<String, String> params = Map.of("allow", "127.0.0.1", "hosts", "shop-1.internal, status");
    try (Weir weir = Weir.of(RULES);
        StatusPage page = page(params)) {
      assertThat(answer(page, localRequest().host(host)).isPresent()).isEqualTo(isAllowed);
      assertThat(answer(page, FakeRequest.get("/weir-status").from("127.0.0.1"))).isEmpty();
    }
  }

  // ---------------------------------------------------------------- what it answers

  @Test
  void it_has_get_and_head_only() {
    try (Weir weir = Weir.of(RULES);
        StatusPage page = page(Map.of("allow", "127.0.0.1"))) {
      for (String method : new String[] {"POST", "PUT", "DELETE", "OPTIONS", "TRACE", "get"}) {
        Answer answer = answer(page, local(FakeRequest.of(method, "/weir-status"))).orElseThrow();
        assertThat(answer.status()).as(method).isEqualTo(405);
        assertThat(answer.fields()).containsEntry("Allow", "GET, HEAD");
      }
      assertThat(answer(page, local(FakeRequest.of("HEAD", "/"))).orElseThrow().status())
          .isEqualTo(200);
    }
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      nullValues = "-",
      textBlock =
          """
          -          | -                                                   | json
          -          | */*                                                 | json
          -          | application/json                                    | json
          -          | text/html,application/xhtml+xml,*/*;q=0.8           | json
          -          | text/plain                                          | text
          -          | text/plain;version=0.0.4;q=0.5,*/*;q=0.1            | text
          -          | application/openmetrics-text;version=1.0.0,text/plain;version=0.0.4;q=0.5,*/*;q=0.1 | text
          -          | text/plain;q=0.1,application/json                   | json
          json       | text/plain                                          | json
          prometheus | application/json                                    | text
          """)
  void the_parameter_chooses_the_format_or_else_what_the_client_accepts(
      String format, String accept, String expected) {
    try (Weir weir = Weir.of(RULES);
        StatusPage page = page(Map.of("allow", "127.0.0.1"))) {
      FakeRequest request = localRequest();
      if (format != null) {
        request.query("format", format);
      }
      if (accept != null) {
        request.header("Accept", accept);
      }
      Answer answer = answer(page, request).orElseThrow();
      assertThat(answer.status()).isEqualTo(200);
      assertThat(answer.fields())
          .containsEntry(
              "Content-Type",
              expected.equals("json")
                  ? "application/json"
                  : "text/plain; version=0.0.4; charset=utf-8")
          .containsEntry("Cache-Control", "no-store")
          .containsEntry("X-Content-Type-Options", "nosniff");
      assertThat(answer.body()).startsWith(expected.equals("json") ? "{" : "# HELP weir_info ");
    }
  }

  @Test
  void an_unknown_format_is_refused() {
    try (Weir weir = Weir.of(RULES);
        StatusPage page = page(Map.of("allow", "127.0.0.1"))) {
      Answer answer = answer(page, localRequest().query("format", "xml")).orElseThrow();
      assertThat(answer.status()).isEqualTo(400);
      assertThat(answer.body()).contains("expected: json or prometheus").doesNotContain("xml");
    }
  }

  @Test
  void json_has_what_is_decided_and_by_which_limits() throws Exception {
    try (Weir weir = Weir.of(RULES);
        StatusPage page = page(Map.of("allow", "127.0.0.1"))) {
      for (int i = 0; i < 3; i++) {
        limit(weir, "192.0.2.1");
      }
      limit(weir, "192.0.2.66");
      JsonNode status = json(page);
      assertThat(status.get("version").asText()).isEqualTo(weir.status().version());
      assertThat(status.has("application")).as("there is no Redis").isFalse();
      assertThat(status.has("redis")).isFalse();
      assertThat(status.get("store").asText()).isEqualTo("local");
      assertThat(status.at("/requests/allowed").asInt()).isEqualTo(2);
      assertThat(status.at("/requests/denied").asInt()).isEqualTo(1);
      assertThat(status.at("/requests/refused").asInt()).isEqualTo(1);
      assertThat(status.at("/rules/0/name").asText()).isEqualTo("login");
      assertThat(status.at("/rules/0/limits/0/limit").asText()).contains("2 per");
      assertThat(status.at("/rules/1/shadow").asBoolean()).isTrue();
      assertThat(status.get("denials"))
          .anySatisfy(
              each -> {
                assertThat(each.get("rule").asText()).isEqualTo("login");
                assertThat(each.get("limit").asText()).isEqualTo("login");
                assertThat(each.get("reason").asText()).isEqualTo("exhausted");
                assertThat(each.get("count").asInt()).isEqualTo(1);
              });
      assertThat(status.at("/topDenied/login/0/tag").asText()).matches("[\\w-]{8}");
      assertThat(status.at("/topDenied/login/0/count").asInt()).isEqualTo(1);
      assertThat(status.at("/counters/max").asInt()).isPositive();
      assertThat(status.toString()).doesNotContain("192.0.2.1").doesNotContain("192.0.2.66");
    }
  }

  @Test
  void json_has_the_store_and_its_problem() throws Exception {
    try (RedisServer redis = RedisServer.start(RedisVersion.newest());
        Weir weir =
            Weir.of(
                "application: shop\nnodes: 1\nredis: { uri: '%s', deadline: 1s }\n"
                        .formatted(redis.uri())
                    + RULES);
        StatusPage page = page(Map.of("allow", "127.0.0.1"))) {
      JsonNode up = json(page);
      assertThat(up.get("application").asText()).isEqualTo("shop");
      assertThat(up.get("store").asText()).isEqualTo("redis");
      assertThat(up.at("/redis/primariesOut").asInt()).isZero();
      assertThat(up.at("/redis/primaries/0/breaker").asText()).isEqualTo("closed");
      redis.kill();
      await().until(() -> json(page).has("storeSince"));
      JsonNode out = json(page);
      assertThat(out.get("store").asText()).isEqualTo("local");
      assertThat(out.at("/redis/primariesOut").asInt()).isEqualTo(1);
      assertThat(out.at("/redis/primaries/0/problem").asText()).isNotEmpty();
      assertThat(out.at("/events/storeSwitches/local").asInt()).isEqualTo(1);
    }
  }

  @Test
  void it_shows_what_the_application_has_opened_and_never_another_file() {
    WeirSource war =
        new WeirSource(
            "weir-status",
            Map.of("allow", "127.0.0.1"),
            path -> new ByteArrayInputStream("rules: [{ broken".getBytes(UTF_8)),
            WeirSource.applicationClassLoader());
    try (Weir weir = Weir.of(RULES);
        StatusPage page = StatusPage.open(war)) {
      assertThat(answer(page, localRequest()).orElseThrow().body())
          .contains("\"login\"")
          .contains("\"source\":\"" + weir.status().loaded().source() + "\"");
    }
  }

  @Test
  void each_line_of_a_problem_keeps_its_place() {
    WeirStatus.Loaded loaded =
        new WeirStatus.Loaded("a", Instant.EPOCH, Optional.of("a.yaml:1:2: x\nb: 'u@h'"), 0, 0);
    assertThat(new JsonObject().add("problem", loaded.problem().orElseThrow()).toString())
        .contains("a.yaml:1:2: x\\u000a");
  }

  @Test
  void a_page_without_a_configuration_says_so() {
    try (StatusPage page = page(Map.of("allow", "127.0.0.1"))) {
      Answer waiting = answer(page, localRequest()).orElseThrow();
      assertThat(waiting.status()).isEqualTo(503);
      assertThat(waiting.body()).isEqualTo("No configuration is open yet.\n");
      try (Weir weir = Weir.of(RULES)) {
        assertThat(answer(page, localRequest()).orElseThrow().status()).isEqualTo(200);
      }
    }
  }

  private static void limit(Weir weir, String peer) {
    FakeRequest request = FakeRequest.get("/").from(peer);
    weir.limiters().apply(request).limit(request);
  }

  private static StatusPage page(Map<String, String> params) {
    return StatusPage.open(
        new WeirSource(
            "weir-status", params, WeirSource.Resources.NONE, WeirSource.applicationClassLoader()));
  }

  private static Optional<Answer> answer(StatusPage page, FakeRequest request) {
    return page.answer(request, request);
  }

  private static JsonNode json(StatusPage page) throws JsonProcessingException {
    return new ObjectMapper().readTree(answer(page, localRequest()).orElseThrow().body());
  }

  private static FakeRequest localRequest() {
    return local(FakeRequest.get("/weir-status"));
  }

  private static FakeRequest local(FakeRequest request) {
    return request.from("127.0.0.1").host("127.0.0.1:8080");
  }
}
