package dev.weir.micrometer;

import dev.weir.config.Weir;
import dev.weir.http.FakeRequest;
import dev.weir.http.RequestView;
import dev.weir.redis.RedisServer;
import dev.weir.redis.RedisVersion;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;

/** A node with each kind of rule and its own Redis, as Prometheus scrapes it. */
final class MeteredWeir implements AutoCloseable {

  /** A long deadline, so that a busy machine is no outage. */
  static final String YAML =
      """
      application: shop
      nodes: 1
      redis: { uri: '%s', deadline: 1s }
      overload: { in-flight: { start: 90, from: 5, to: 90 } }
      rules:
        - { name: login, match: /**, subject: ip, limits: [2 per hour], ban: 9m after 99 denials in 1m }
        - { name: trial, match: /**, subject: global, limits: [3 per hour], on-denial: shadow }
        - { name: slow, match: /slow, subject: global, limits: [9 per second], on-denial: delay up to 1s }
      """;

  final RedisServer redis = RedisServer.start(RedisVersion.newest());
  private final Weir weir = Weir.of(YAML.formatted(redis.uri()));
  private final WeirMetrics metrics = new WeirMetrics(weir);
  private final PrometheusMeterRegistry registry =
      new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);

  MeteredWeir() {
    metrics.bindTo(registry);
  }

  static void request(Weir weir, int times) {
    for (int i = 0; i < times; i++) {
      RequestView request = FakeRequest.get("/");
      weir.limiters().apply(request).limit(request);
    }
  }

  String scraped() {
    request(weir, 5);
    return registry.scrape();
  }

  @Override
  public void close() {
    metrics.close();
    weir.close();
    redis.close();
  }
}
