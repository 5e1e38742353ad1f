package dev.weir.micrometer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.weir.config.Weir;
import dev.weir.http.FakeRequest;
import dev.weir.http.RequestView;
import dev.weir.http.spi.Outcome;
import dev.weir.http.spi.Outcome.Delayed;
import dev.weir.redis.RedisServer;
import dev.weir.redis.RedisVersion;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Tag;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.DoubleSupplier;
import org.junit.jupiter.api.Test;

/** What a dashboard is told. */
class WeirMetricsTest {

  private static final String RULES =
      "rules: [{ name: all, match: /**, subject: global, limits: 2 per hour }]";

  private final SimpleMeterRegistry registry = new SimpleMeterRegistry();

  @Test
  void decisions_are_counted_and_timed_by_rule_outcome_and_source() {
    try (Weir weir = Weir.of(RULES);
        WeirMetrics metrics = new WeirMetrics(weir)) {
      metrics.bindTo(registry);
      request(weir, 5);
      assertThat(decisions("allowed", "local")).isEqualTo(2);
      assertThat(decisions("denied", "local")).isEqualTo(3);
      assertThat(
              registry
                  .get("weir.decision.duration")
                  .tags("outcome", "denied", "source", "local")
                  .timer()
                  .count())
          .isEqualTo(3);
      assertThat(gauge("weir.nodes.live")).isEqualTo(1);
      assertThat(gauge("weir.requests.waiting")).isZero();
      assertThat(registry.find("weir.redis.calls.waiting").meters())
          .as("there is no Redis")
          .isEmpty();
    }
  }

  @Test
  void counters_are_at_zero_before_their_first_event() {
    try (RedisServer redis = RedisServer.start(RedisVersion.newest());
        Weir weir = Weir.of(ofNinePerHour(redis));
        WeirMetrics metrics = new WeirMetrics(weir)) {
      metrics.bindTo(registry);
      for (String source : List.of("redis", "local")) {
        assertThat(registry.get("weir.decisions").tags("source", source).functionCounters())
            .extracting(counter -> counter.getId().getTag("outcome"))
            .containsExactlyInAnyOrder("allowed", "denied");
        assertThat(registry.get("weir.decision.duration").tags("source", source).timers())
            .hasSize(2);
        assertThat(read("weir.store.switches", "store", source)).isZero();
      }
      assertThat(read("weir.refunds.lost", "rule", "all")).isZero();
      assertThat(read("weir.counters.overflowed", "limit", "all")).isZero();
      for (String outcome : List.of("failed", "succeeded")) {
        assertThat(read("weir.redis.probes", "outcome", outcome)).isZero();
        assertThat(read("weir.config.reloads", "outcome", outcome)).isZero();
      }
      assertThat(read("weir.requests.shed")).isZero();
      assertThat(read("weir.permits.lost")).isZero();
      assertThat(read("weir.errors")).isZero();
    }
  }

  @Test
  void what_is_banned_is_counted_apart_from_the_start() {
    String banning =
        "rules: [{ name: all, match: /**, limits: 2 per hour, ban: 9m after 2 denials in 1m }]";
    try (Weir weir = Weir.of(banning);
        WeirMetrics metrics = new WeirMetrics(weir)) {
      metrics.bindTo(registry);
      assertThat(decisions("banned", "local")).isZero();
      request(weir, 4);
      await()
          .untilAsserted(
              () -> {
                request(weir, 1);
                assertThat(decisions("banned", "local")).isPositive();
              });
      assertThat(decisions("allowed", "local")).isEqualTo(2);
    }
  }

  @Test
  void a_shadow_would_deny_and_denies_nothing_from_the_start() {
    try (Weir weir = Weir.of(RULES.replace("per hour", "per hour, on-denial: shadow"));
        WeirMetrics metrics = new WeirMetrics(weir)) {
      metrics.bindTo(registry);
      assertThat(registry.get("weir.decisions").functionCounters())
          .extracting(counter -> counter.getId().getTag("outcome"))
          .containsExactlyInAnyOrder("allowed", "shadow_denied");
    }
  }

  @Test
  void what_a_shadow_would_deny_is_told_from_what_is_denied() {
    try (Weir weir = Weir.of(RULES.replace("per hour", "per hour, on-denial: shadow"));
        WeirMetrics metrics = new WeirMetrics(weir)) {
      metrics.bindTo(registry);
      request(weir, 5);
      assertThat(decisions("allowed", "local")).isEqualTo(2);
      assertThat(decisions("shadow_denied", "local")).isEqualTo(3);
      assertThat(decisions("denied", "local")).isZero();
    }
  }

  @Test
  void waits_are_timed_by_rule_and_by_how_they_end() {
    String delaying =
        "rules: [{ name: slow, match: /**, subject: global, limits: [1 concurrent],"
            + " on-denial: delay up to 60s }]";
    try (Weir weir = Weir.of(delaying);
        WeirMetrics metrics = new WeirMetrics(weir)) {
      metrics.bindTo(registry);
      for (String end : List.of("served", "refused", "left")) {
        assertThat(waits(end)).as(end).isZero();
      }
      Outcome first = limited(weir);
      Delayed gone = (Delayed) limited(weir);
      gone.leave();
      Delayed second = (Delayed) limited(weir);
      first.completion().orElseThrow().completed(200);
      Outcome served = second.later().toCompletableFuture().join();
      served.completion().orElseThrow().completed(200);
      await().untilAsserted(() -> assertThat(waits("served")).isEqualTo(1));
      await().untilAsserted(() -> assertThat(waits("left")).isEqualTo(1));
      assertThat(waits("refused")).isZero();
    }
  }

  private static Outcome limited(Weir weir) {
    RequestView request = FakeRequest.get("/").waitingAside();
    return weir.limiters().apply(request).limit(request);
  }

  private long waits(String end) {
    return registry.get("weir.delay").tags("rule", "slow", "outcome", end).timer().count();
  }

  @Test
  void a_limit_without_room_for_more_subjects_is_seen() {
    try (Weir weir = Weir.of("max-counters: 1\n" + RULES.replace("global", "ip"));
        WeirMetrics metrics = new WeirMetrics(weir)) {
      metrics.bindTo(registry);
      request(weir, 2);
      assertThat(overflowed()).isZero();
      RequestView other = FakeRequest.get("/").from("192.0.2.77");
      weir.limiters().apply(other).limit(other);
      assertThat(overflowed()).isEqualTo(1);
    }
  }

  private double overflowed() {
    return read("weir.counters.overflowed", "limit", "all");
  }

  @Test
  void Redis_is_measured_and_its_outage_seen() {
    try (RedisServer redis = RedisServer.start(RedisVersion.newest());
        Weir weir = Weir.of(ofNinePerHour(redis));
        WeirMetrics metrics = new WeirMetrics(weir)) {
      metrics.bindTo(registry);
      await().until(() -> gauge("weir.redis.batches.max") > 0);
      request(weir, 10);
      assertThat(decisions("allowed", "redis")).isEqualTo(9);
      assertThat(decisions("denied", "redis")).isEqualTo(1);
      assertThat(primaries("closed")).isEqualTo(1);
      assertThat(read("weir.redis.calls")).isGreaterThanOrEqualTo(10);
      assertThat(read("weir.redis.batches")).isPositive();
      assertThat(registry.get("weir.redis.roundtrip.min").timeGauge().value(TimeUnit.MILLISECONDS))
          .isPositive();
      redis.kill();
      await().until(() -> primaries("open") == 1);
      await().until(() -> read("weir.store.switches", "store", "local") == 1);
      await().until(() -> read("weir.redis.probes", "outcome", "failed") > 0);
      assertThat(primaries("closed")).isZero();
      assertThat(gauge("weir.redis.primaries.out")).isEqualTo(1);
    }
  }

  private static String ofNinePerHour(RedisServer redis) {
    return "application: shop\nnodes: 1\nredis: { uri: '%s' }\n".formatted(redis.uri())
        + RULES.replace("2 per", "9 per");
  }

  @Test
  void what_is_closed_measures_no_more_and_leaves_nothing() {
    try (Weir weir = Weir.of(RULES)) {
      WeirMetrics metrics = new WeirMetrics(weir, List.of(Tag.of("application", "shop")));
      metrics.bindTo(registry);
      request(weir, 1);
      assertThat(registry.getMeters())
          .hasSizeGreaterThan(20)
          .allMatch(meter -> "shop".equals(meter.getId().getTag("application")));
      metrics.close();
      request(weir, 1);
      assertThat(registry.getMeters()).isEmpty();
    }
  }

  @Test
  void Prometheus_reads_it() {
    PrometheusMeterRegistry prometheus = new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
    try (Weir weir = Weir.of(RULES);
        WeirMetrics metrics = new WeirMetrics(weir)) {
      metrics.bindTo(prometheus);
      request(weir, 3);
      assertThat(prometheus.scrape())
          .contains("weir_decisions_total{outcome=\"allowed\",rule=\"all\",source=\"local\"} 2.0")
          .contains("weir_decision_duration_seconds_count{outcome=\"denied\",source=\"local\"} 1")
          .contains("weir_nodes_live 1.0");
    }
  }

  @Test
  void a_Weir_that_is_closed_first_spoils_no_scrape() {
    PrometheusMeterRegistry prometheus = new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
    try (RedisServer redis = RedisServer.start(RedisVersion.newest())) {
      Weir weir = Weir.of(ofNinePerHour(redis));
      try (WeirMetrics metrics = new WeirMetrics(weir)) {
        metrics.bindTo(prometheus);
        Counter.builder("orders").register(prometheus).increment();
        weir.close();
        assertThat(prometheus.scrape()).contains("orders_total 1.0");
      }
    }
  }

  private static void request(Weir weir, int times) {
    for (int i = 0; i < times; i++) {
      RequestView request = FakeRequest.get("/");
      weir.limiters().apply(request).limit(request);
    }
  }

  private double decisions(String outcome, String source) {
    FunctionCounter counter =
        registry
            .find("weir.decisions")
            .tags("rule", "all", "outcome", outcome, "source", source)
            .functionCounter();
    return counter == null ? 0 : fresh(counter::count);
  }

  /** Reads it twice, since the first reading may belong to a scrape that has begun before. */
  private static double fresh(DoubleSupplier value) {
    double unused = value.getAsDouble();
    return value.getAsDouble();
  }

  /** Returns the count of a counter that reads the status. */
  private double read(String name, String... tags) {
    return fresh(registry.get(name).tags(tags).functionCounter()::count);
  }

  private double primaries(String breaker) {
    return fresh(registry.get("weir.redis.primaries").tags("breaker", breaker).gauge()::value);
  }

  private double gauge(String name) {
    return fresh(registry.get(name).gauge()::value);
  }
}
