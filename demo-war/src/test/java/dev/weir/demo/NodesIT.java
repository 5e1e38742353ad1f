package dev.weir.demo;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.weir.http.Answer;
import dev.weir.http.RawHttp;
import jakarta.json.JsonObject;
import java.io.IOException;
import java.time.Duration;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestInstance.Lifecycle;

/** Two nodes and a Redis: one budget. */
@TestInstance(Lifecycle.PER_CLASS)
class NodesIT {

  private static final String KEY = "X-API-Key: ";

  @AutoClose private final DemoProcess demo = DemoProcess.start();

  NodesIT() throws IOException {}

  @Test
  void thirty_requests_over_both_ports_share_one_budget() {
    long started = System.nanoTime();
    int allowed = 0;
    for (int i = 0; i < 30; i++) {
      allowed += hello(i % 2, "shared").isPassed() ? 1 : 0;
    }
    double seconds = (System.nanoTime() - started) / 1e9;
    assertThat((double) allowed).isBetween(10.0, 10 + 2 * seconds + 1);
    assertThat(hello(0, "another").isPassed()).as("another key").isTrue();
  }

  @Test
  void a_denial_says_which_limit_and_how_long_to_wait() {
    Answer denied = exhaust("told");
    assertThat(denied.status()).isEqualTo(429);
    assertThat(denied.field("Retry-After")).isEqualTo("1");
    assertThat(denied.field("RateLimit")).isEqualTo("\"api\";r=0;t=1");
    assertThat(denied.field("RateLimit-Policy"))
        .contains("\"api\";q=10;w=5", "\"address\";q=100;w=5");
    assertThat(denied.field("Content-Type")).startsWith("application/problem+json");
    assertThat(denied.body()).contains("\"violated-policies\":[\"api\"]");
    assertThat(denied.toString()).doesNotContain("told");
  }

  @Test
  void waiting_exactly_retry_after_succeeds() {
    Answer denied = exhaust("patient");
    Duration wait = Duration.ofSeconds(denied.retryAfterSeconds().orElseThrow());
    long due = System.nanoTime() + wait.toNanos();
    await().pollInterval(Duration.ofMillis(1)).until(() -> System.nanoTime() - due >= 0);
    assertThat(hello(1, "patient").isPassed()).isTrue();
  }

  @Test
  void logins_are_counted_by_address_over_both_nodes() {
    for (int i = 0; i < 5; i++) {
      assertThat(login(i % 2, "127.0.0.2").isPassed()).isTrue();
    }
    Answer denied = login(1, "127.0.0.2");
    assertThat(denied.status()).isEqualTo(429);
    assertThat(denied.field("RateLimit")).startsWith("\"login\";r=0;t=");
    assertThat(login(1, "127.0.0.3").isPassed()).as("another address").isTrue();
  }

  @Test
  void a_forged_forwarding_field_is_not_believed() {
    for (int i = 0; i < 5; i++) {
      login(0, "127.0.0.4", "X-Forwarded-For: 198.51.100." + i);
    }
    assertThat(login(0, "127.0.0.4", "X-Forwarded-For: 198.51.100.9").status()).isEqualTo(429);
  }

  @Test
  void the_annotated_resource_has_a_quota_for_each_period() {
    for (int i = 0; i < 20; i++) {
      assertThat(report(i % 2, i).isPassed()).isTrue();
    }
    Answer denied = report(0, 99);
    assertThat(denied.status()).isEqualTo(429);
    assertThat(denied.field("RateLimit")).contains(";r=0;t=");
    assertThat(denied.retryAfterSeconds().orElseThrow()).isBetween(1L, 60L);
  }

  @Test
  void Prometheus_reads_who_decided_what_and_never_a_key() {
    exhaust("measured");
    Answer metrics = new RawHttp(demo.base(0)).get("/metrics");
    assertThat(metrics.field("Content-Type")).startsWith("text/plain");
    assertThat(metrics.body())
        .contains("weir_decisions_total{outcome=\"denied\",rule=\"api\",source=\"redis\"}")
        .contains("weir_redis_primaries{breaker=\"closed\"} 1.0")
        .contains("weir_nodes_live 2.0")
        .doesNotContain("measured");
  }

  @Test
  void status_tells_who_decided_what_and_never_a_key() {
    String key = "s3cr3t-key";
    exhaust(key);
    NodeStatus status = NodeStatus.of(demo.node(0));
    assertThat(status.json().keySet())
        .contains("node", "port", "ports", "store", "breaker", "liveNodes", "decisions")
        .contains("version", "config", "requests", "storeMillis", "rules", "delayed", "waiting");
    assertThat(status.store()).isEqualTo("REDIS");
    assertThat(status.json().getString("breaker")).isEqualTo("CLOSED");
    assertThat(status.json().getInt("port")).isEqualTo(demo.port());
    assertThat(status.json().getBoolean("control")).as("buttons for Redis").isTrue();
    assertThat(status.count("api", "ALLOWED", "REDIS")).isPositive();
    assertThat(status.count("api", "DENIED", "REDIS")).isPositive();
    JsonObject requests = status.json().getJsonObject("requests");
    assertThat(requests.getInt("denied")).isPositive();
    assertThat(requests.getInt("allowedInProcess")).isZero();
    assertThat(status.json().toString() + demo.output()).doesNotContain(key);
  }

  @Test
  void the_nodes_hear_of_each_other() {
    await().until(() -> NodeStatus.of(demo.node(0)).liveNodes() == 2);
    await().until(() -> NodeStatus.of(demo.node(1)).liveNodes() == 2);
  }

  @Test
  void static_files_are_not_limited() {
    for (int i = 0; i < 100; i++) {
      Answer answer = demo.node(i % 2).get("/static/hello.txt");
      assertThat(answer.status()).isEqualTo(200);
      assertThat(answer.has("RateLimit")).isFalse();
    }
  }

  @Test
  void neither_what_is_inside_the_war_nor_its_launcher_is_served() {
    RawHttp node = demo.node(0);
    assertThat(node.get("/WEB-INF/weir.yaml").status()).isEqualTo(404);
    assertThat(node.get("/WEB-INF/server/lib/").status()).isEqualTo(404);
    assertThat(node.get("/META-INF/MANIFEST.MF").status()).isEqualTo(404);
    assertThat(node.get("/dev/weir/demo/launch/Main.class").status()).isEqualTo(403);
    assertThat(node.get("/static/").status()).isEqualTo(403);
  }

  private Answer hello(int node, String key) {
    return demo.node(node).get("/api/hello", KEY + key);
  }

  private Answer login(int node, String address, String... fields) {
    return demo.node(node).from(address, "POST", "/login", fields);
  }

  private Answer report(int node, int id) {
    return demo.node(node).from("127.0.0.5", "GET", "/rest/reports/" + id);
  }

  private Answer exhaust(String key) {
    return await()
        .pollDelay(Duration.ZERO)
        .pollInterval(Duration.ofMillis(1))
        .until(() -> hello(0, key), Answer::isDenied);
  }
}
