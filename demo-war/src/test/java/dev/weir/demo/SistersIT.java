package dev.weir.demo;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.weir.http.Answer;
import java.io.IOException;
import java.net.ConnectException;
import java.net.InetAddress;
import java.net.Socket;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestInstance.Lifecycle;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Which pages may call a node, and which may touch its Redis. */
@TestInstance(Lifecycle.PER_CLASS)
class SistersIT {

  private static final String PREFLIGHT = "Access-Control-Request-Method: GET";

  @AutoClose private final DemoProcess demo = DemoProcess.start();

  SistersIT() throws IOException {}

  @Test
  void the_page_of_a_sister_node_may_read_answers_and_their_fields() {
    Answer answer =
        await()
            .pollDelay(Duration.ZERO)
            .until(
                () -> demo.node(0).get("/api/hello", "X-API-Key: cors", sister()),
                Answer::isDenied);
    assertThat(answer.field("Access-Control-Allow-Origin")).isEqualTo(demo.base(1).toString());
    assertThat(answer.field("Access-Control-Expose-Headers"))
        .contains("RateLimit", "RateLimit-Policy", "Retry-After");
    assertThat(answer.field("Vary")).contains("Origin");
  }

  @Test
  void preflights_of_a_sister_are_answered_and_not_charged() {
    for (int i = 0; i < 20; i++) {
      Answer answer = demo.node(0).send("OPTIONS", "/login", sister(), PREFLIGHT);
      assertThat(answer.status()).isEqualTo(204);
      assertThat(answer.field("Access-Control-Allow-Headers")).contains("X-API-Key");
      assertThat(answer.has("RateLimit")).isFalse();
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"http://evil.example", "null", "http://127.0.0.1:1", "http://127.0.0.1"})
  void other_origins_may_not(String origin) {
    Answer answer = demo.node(0).get("/api/hello", "X-API-Key: evil", "Origin: " + origin);
    assertThat(answer.has("Access-Control-Allow-Origin")).isFalse();
  }

  @Test
  void the_page_runs_nothing_but_its_own_files() {
    Answer page = demo.node(0).get("/");
    assertThat(page.status()).isEqualTo(200);
    assertThat(page.field("Content-Security-Policy"))
        .contains("default-src 'none'", "script-src 'self'", "frame-ancestors 'none'")
        .contains("http://*:" + (demo.port() + 1))
        .doesNotContain("unsafe");
  }

  /** Every address in 127.0.0.0/8 is this machine; a node on all interfaces answers at each. */
  @Test
  void a_node_listens_at_one_address_of_this_machine_alone() {
    assertThatThrownBy(() -> new Socket("127.0.0.2", demo.port()).close())
        .isInstanceOf(ConnectException.class);
    assertThat(demo.output()).contains("this machine alone");
  }

  @Test
  void redis_is_shown_to_this_machine() {
    assertThat(demo.node(0).get("/demo/redis").body()).contains("\"state\":\"RUNNING\"");
  }

  @ParameterizedTest
  @ValueSource(strings = {"http://evil.example", "null", "http://127.0.0.1:1"})
  void another_origin_may_not_touch_redis(String origin) {
    Answer answer = demo.control(0, "/kill", "Origin: " + origin);
    assertThat(answer.status()).isEqualTo(403);
    assertThat(demo.redis().isAlive()).isTrue();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "POST /demo/redis/kill",
        "GET /demo/redis",
        "POST /burst",
        "GET /status",
        "GET /patterns/token-bucket",
        "GET /api/hello",
        "POST /login",
        "GET /rest/reports/1",
        "OPTIONS /status",
        "GET /static/hello.txt",
        "GET /"
      })
  void a_foreign_name_for_this_machine_reaches_nothing(String target) throws IOException {
    // a page of evil.example that was made to resolve to 127.0.0.1 (DNS rebinding)
    String rebound = "evil.example:" + demo.port();
    String answer = answer(target, rebound, "Origin: http://" + rebound, DemoProcess.CONTROL);
    assertThat(answer).startsWith("HTTP/1.1 403 ").doesNotContain("Access-Control");
    assertThat(answer("GET /status", "localhost.evil.example", "Accept: */*")).contains(" 403 ");
    assertThat(demo.redis().isAlive()).isTrue();
  }

  @ParameterizedTest
  @ValueSource(strings = {"localhost", "127.0.0.1", "[::1]"})
  void every_name_of_this_machine_is_served(String name) throws IOException {
    String host = name + ":" + demo.port();
    for (String target : List.of("GET /", "GET /status", "GET /demo/redis")) {
      assertThat(answer(target, host, DemoProcess.CONTROL)).startsWith("HTTP/1.1 200 ");
    }
  }

  @Test
  void and_so_is_a_burst() throws IOException {
    String host = "localhost:" + demo.port();
    assertThat(answer("POST /burst", host, DemoProcess.CONTROL)).startsWith("HTTP/1.1 200 ");
  }

  private String answer(String target, String host, String... fields) throws IOException {
    String request =
        "%s HTTP/1.1\r\nHost: %s\r\n%s\r\nContent-Length: 0\r\nConnection: close\r\n\r\n"
            .formatted(target, host, String.join("\r\n", fields));
    try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), demo.port())) {
      socket.getOutputStream().write(request.getBytes(US_ASCII));
      return new String(socket.getInputStream().readAllBytes(), US_ASCII);
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"Accept: */*", "X-Weir-Demo: 0", "X-Weir-Demo:"})
  void what_does_not_say_that_it_means_the_demo_may_not_touch_redis(String field) {
    assertThat(demo.node(0).post("/demo/redis/kill", field).status()).isEqualTo(403);
    assertThat(demo.redis().isAlive()).isTrue();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "Forwarded: for=198.51.100.7",
        "Via: 1.1 proxy",
        "X-Forwarded-For: 198.51.100.7",
        "x-forwarded-host: demo.example",
        "X-Forwarded-Proto: https",
        "X-Forwarded-For:",
        "X-Real-IP: 127.0.0.1"
      })
  void whoever_comes_through_a_proxy_neither_sees_nor_touches_redis(String field) {
    Answer seen = demo.node(0).get("/demo/redis", field);
    assertThat(seen.status()).isEqualTo(403);
    assertThat(seen.body()).contains("problem").doesNotContain("RUNNING", "version");
    assertThat(demo.control(0, "/kill", field).status()).isEqualTo(403);
    assertThat(demo.redis().isAlive()).isTrue();
  }

  @Test
  void looking_at_redis_never_changes_it() {
    assertThat(demo.node(0).get("/demo/redis/kill").status()).isEqualTo(405);
    assertThat(demo.control(0, "").status()).isEqualTo(405);
    assertThat(demo.control(0, "/flushall").status()).isEqualTo(404);
    assertThat(demo.redis().isAlive()).isTrue();
  }

  private String sister() {
    return "Origin: " + demo.base(1);
  }
}
