package dev.weir.micrometer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;
import static org.awaitility.Awaitility.await;

import dev.weir.config.Weir;
import dev.weir.config.WeirSource;
import dev.weir.http.FakeRequest;
import dev.weir.http.RequestView;
import dev.weir.redis.RedisServer;
import dev.weir.redis.RedisVersion;
import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.Tag;
import io.micrometer.core.instrument.config.MeterFilter;
import io.micrometer.core.instrument.distribution.CountAtBucket;
import io.micrometer.core.instrument.distribution.DistributionStatisticConfig;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The meters that read the status: the configuration, the counters, nodes, and the store. */
class StatusMetersTest {

  private static final String RULES =
      "rules: [{ name: all, match: /**, subject: global, limits: 2 per hour }]\n";

  private final SimpleMeterRegistry registry = new SimpleMeterRegistry();

  @Test
  void what_runs_is_named() {
    try (Weir weir = Weir.of(RULES);
        WeirMetrics metrics = new WeirMetrics(weir)) {
      metrics.bindTo(registry);
      Meter.Id info = registry.get("weir.info").gauge().getId();
      assertThat(value("weir.info")).isEqualTo(1);
      assertThat(info.getTag("version"))
          .matches("\\d+\\.\\d+.*")
          .isEqualTo(weir.status().version());
      assertThat(info.getTag("application")).isEqualTo("none");
      assertThat(info.getTag("config")).isEqualTo(weir.status().loaded().source());
    }
  }

  @Test
  void a_configuration_without_rules_has_meters_too() {
    try (Weir weir = Weir.of("nodes: 1");
        WeirMetrics metrics = new WeirMetrics(weir)) {
      metrics.bindTo(registry);
      assertThat(value("weir.info")).isEqualTo(1);
      assertThat(count("weir.errors")).isZero();
    }
  }

  @Test
  void a_request_counts_once_and_its_denial_by_limit_and_reason() {
    String yaml =
        """
        rules:
          - { name: login, match: /**, subject: ip, limits: [50 per hour], deny: 192.0.2.66 }
          - { name: all, match: /**, subject: global, limits: [1000 per hour] }
          - { name: trial, match: /**, subject: global, limits: [9 per hour], on-denial: shadow }
        """;
    try (Weir weir = Weir.of(yaml);
        WeirMetrics metrics = new WeirMetrics(weir)) {
      metrics.bindTo(registry);
      assertThat(count("weir.requests", "outcome", "unavailable")).isZero();
      assertThat(count("weir.denials", "rule", "all", "limit", "all", "reason", "exhausted"))
          .isZero();
      for (int i = 0; i < 100; i++) {
        request(weir, "192.0.2.1");
      }
      request(weir, "192.0.2.66");
      assertThat(count("weir.requests", "outcome", "allowed")).isEqualTo(50);
      assertThat(count("weir.requests", "outcome", "denied")).isEqualTo(50);
      assertThat(count("weir.requests", "outcome", "refused")).isEqualTo(1);
      assertThat(count("weir.denials", "rule", "login", "limit", "login", "reason", "exhausted"))
          .isEqualTo(50);
      assertThat(count("weir.denials", "rule", "login", "limit", "none", "reason", "list"))
          .isEqualTo(1);
      assertThat(registry.find("weir.denials").tags("rule", "trial").meters())
          .as("a shadow denies nothing")
          .isEmpty();
    }
  }

  @Test
  void reloads_are_counted_and_a_failing_one_is_seen(@TempDir Path directory) throws IOException {
    Path file = directory.resolve("weir.yaml");
    write(file, RULES);
    try (Weir weir = Weir.open(file);
        WeirMetrics metrics = new WeirMetrics(weir)) {
      metrics.bindTo(registry);
      double first = value("weir.config.loaded.time");
      assertThat(first).isCloseTo(System.currentTimeMillis() / 1e3, within(60.0));
      assertThat(value("weir.config.failing")).isZero();
      write(file, RULES + "rulez: 1\n");
      await().until(() -> value("weir.config.failing") == 1);
      assertThat(count("weir.config.reloads", "outcome", "failed")).isEqualTo(1);
      assertThat(count("weir.config.reloads", "outcome", "succeeded")).isZero();
      assertThat(value("weir.config.loaded.time")).isEqualTo(first);
      write(file, RULES.replace("2 per", "3 per").replace("all", "renamed"));
      await().until(() -> count("weir.config.reloads", "outcome", "succeeded") == 1);
      assertThat(value("weir.config.failing")).isZero();
      assertThat(value("weir.config.loaded.time")).isGreaterThan(first);
      assertThat(count("weir.config.reloads", "outcome", "failed")).isEqualTo(1);
      assertThat(count("weir.refunds.lost", "rule", "renamed")).as("a new rule").isZero();
      assertThat(count("weir.counters.overflowed", "limit", "renamed")).isZero();
    }
  }

  /** Writes as an editor does: the watch never reads half a file. */
  private static void write(Path file, String yaml) throws IOException {
    Path next = Files.writeString(file.resolveSibling("next"), yaml);
    Files.move(next, file, StandardCopyOption.REPLACE_EXISTING);
  }

  @Test
  void counters_in_process_are_counted_against_their_maximum() {
    try (Weir weir = Weir.of("max-counters: 7\n" + RULES.replace("global", "ip"));
        WeirMetrics metrics = new WeirMetrics(weir)) {
      metrics.bindTo(registry);
      assertThat(value("weir.counters.local")).isZero();
      request(weir, "192.0.2.1");
      request(weir, "192.0.2.2");
      assertThat(value("weir.counters.local")).isEqualTo(2);
      assertThat(value("weir.counters.max")).isEqualTo(7);
    }
  }

  @Test
  void a_node_without_redis_has_the_configured_share_and_no_meter_of_redis() {
    try (Weir weir = Weir.of("nodes: 3\n" + RULES);
        WeirMetrics metrics = new WeirMetrics(weir)) {
      metrics.bindTo(registry);
      assertThat(value("weir.nodes.live")).isEqualTo(3);
      assertThat(value("weir.nodes.reckoned")).isEqualTo(3);
      assertThat(value("weir.leases")).isZero();
      for (String name : List.of("weir.nodes.lost", "weir.clock.skew", "weir.store.switches")) {
        assertThat(registry.find(name).meters()).as(name).isEmpty();
      }
    }
  }

  @Test
  void the_requests_in_flight_are_zero_of_zero_without_overload_control() {
    try (Weir weir = Weir.of(RULES);
        Weir guarded = Weir.of("overload: { in-flight: { start: 9, from: 5, to: 9 } }\n" + RULES)) {
      try (WeirMetrics metrics = new WeirMetrics(weir)) {
        metrics.bindTo(registry);
        assertThat(value("weir.requests.active")).isZero();
        assertThat(value("weir.requests.max")).isZero();
      }
      try (WeirMetrics metrics = new WeirMetrics(guarded)) {
        metrics.bindTo(registry);
        assertThat(value("weir.requests.active")).isZero();
        assertThat(value("weir.requests.max")).isPositive();
        request(guarded, "192.0.2.1");
        assertThat(value("weir.requests.active")).isEqualTo(1);
      }
    }
  }

  @Test
  void nodes_the_clock_and_leases_are_as_redis_knows_them() {
    String yaml =
        """
        application: seen
        nodes: 2
        redis: { uri: '%s' }
        limits: { wide: { token-bucket: 100_000 per second, burst: 100_000, leases: auto } }
        rules: [{ name: all, match: /**, subject: global, limits: [wide] }]
        """;
    try (RedisServer redis = RedisServer.start(RedisVersion.newest());
        Weir weir = Weir.of(yaml.formatted(redis.uri()));
        WeirMetrics metrics = new WeirMetrics(weir)) {
      metrics.bindTo(registry);
      await().until(() -> !Double.isNaN(value("weir.clock.skew")));
      assertThat(value("weir.clock.skew")).isBetween(-0.05, 0.05);
      assertThat(value("weir.nodes.live")).isEqualTo(1);
      assertThat(value("weir.nodes.reckoned")).isEqualTo(2);
      assertThat(value("weir.nodes.lost")).isZero();
      assertThat(registry.get("weir.info").gauge().getId().getTag("application")).isEqualTo("seen");
      await()
          .until(
              () -> {
                for (int i = 0; i < 1_000; i++) {
                  request(weir, "192.0.2.1");
                }
                return value("weir.leases") == 1;
              });
    }
  }

  @Test
  void a_switch_of_the_store_has_a_time() {
    try (RedisServer redis = RedisServer.start(RedisVersion.newest());
        Weir weir =
            Weir.of(
                "application: timed\nnodes: 1\nredis: { uri: '%s', deadline: 2s }\n"
                        .formatted(redis.uri())
                    + RULES);
        WeirMetrics metrics = new WeirMetrics(weir)) {
      metrics.bindTo(registry);
      await().until(() -> value("weir.redis.batches.max") > 0);
      assertThat(value("weir.store.switched.time")).isZero();
      redis.kill();
      await().until(() -> count("weir.store.switches", "store", "local") == 1);
      assertThat(value("weir.store.switched.time"))
          .isCloseTo(System.currentTimeMillis() / 1e3, within(60.0));
    }
  }

  @Test
  void the_buckets_of_durations_follow_the_deadline_and_a_filter_leaves_them_out() {
    try (Weir weir = Weir.of(RULES)) {
      try (WeirMetrics metrics = new WeirMetrics(weir)) {
        metrics.bindTo(registry);
        assertThat(buckets()).containsExactly(1.0, 5.0, 25.0, 100.0, 106.25);
      }
      registry
          .config()
          .meterFilter(
              new MeterFilter() {
                @Override
                public DistributionStatisticConfig configure(
                    Meter.Id id, DistributionStatisticConfig config) {
                  return id.getName().equals("weir.decision.duration")
                      ? DistributionStatisticConfig.builder()
                          .serviceLevelObjectives()
                          .build()
                          .merge(config)
                      : config;
                }
              });
      try (WeirMetrics metrics = new WeirMetrics(weir)) {
        metrics.bindTo(registry);
        assertThat(buckets()).isEmpty();
      }
    }
  }

  private List<Double> buckets() {
    CountAtBucket[] counts =
        registry
            .get("weir.decision.duration")
            .tags("outcome", "allowed")
            .timer()
            .takeSnapshot()
            .histogramCounts();
    return Stream.of(counts).map(each -> each.bucket(TimeUnit.MILLISECONDS)).toList();
  }

  @Test
  void it_joins_what_an_application_has_opened() {
    try (Weir weir = Weir.of(RULES);
        Weir joined = Weir.join(WeirSource.of("metrics"));
        WeirMetrics metrics = new WeirMetrics(joined, List.of(Tag.of("site", "eu")))) {
      metrics.bindTo(registry);
      assertThat(registry.getMeters()).allMatch(it -> "eu".equals(it.getId().getTag("site")));
      assertThat(joined.deadline()).isEqualTo(weir.deadline()).isEqualTo(Duration.ofMillis(100));
    }
  }

  private static void request(Weir weir, String address) {
    RequestView request = FakeRequest.get("/").from(address);
    weir.limiters().apply(request).limit(request);
  }

  /** Reads it twice, since the first reading may belong to a scrape that has begun before. */
  private double value(String name) {
    double unused = registry.get(name).gauge().value();
    return registry.get(name).gauge().value();
  }

  private double count(String name, String... tags) {
    // what is new in the status is registered when the registry is read
    registry.getMeters().forEach(meter -> meter.measure().forEach(each -> each.getValue()));
    return registry.get(name).tags(tags).functionCounter().count();
  }
}
