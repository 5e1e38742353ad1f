package dev.weir.bench.http;

import dev.weir.bench.peer.Bucket4jRedis;
import dev.weir.bench.peer.NaiveLua;
import dev.weir.bench.peer.Numbers;
import java.io.IOException;
import java.time.Duration;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.function.ToDoubleFunction;
import java.util.stream.IntStream;

/** The applications that are measured beside the unlimited one. */
final class Applications {

  /** So many clients, where it is not about one. */
  static final int MANY = 1_000;

  private static final List<Integer> POOLS = List.of(8, 16, 32);

  /** None is ever full again, and none is ever empty. */
  private static final Numbers NUMBERS = new Numbers(1, Duration.ofSeconds(1), 1_000_000);

  /**
   * One of them, in variants of which the best counts.
   *
   * @param keys how many clients ask it
   * @param isInRedis whether each of them leaves a key there
   */
  record One(
      String metric, List<String> variants, int keys, boolean isInRedis, Deployment deployment) {

    String costMetric() {
      return metric.replace("http-", "http-cpu-");
    }

    void deploy(WebServer server, String redis) throws IOException {
      for (int i = 0; i < variants.size(); i++) {
        deployment.of(server, variants.get(i), redis, POOLS.get(i));
      }
    }

    String best(ToDoubleFunction<String> merit) {
      return Collections.max(variants, Comparator.comparingDouble(merit));
    }
  }

  /** Puts an application of this name on a server. */
  @FunctionalInterface
  interface Deployment {
    void of(WebServer server, String name, String redis, int pool) throws IOException;
  }

  static final List<One> ALL =
      List.of(
          new One("http-lease", List.of("lease"), 1, true, Applications::lease),
          new One("http-exact-1000keys", List.of("exact"), MANY, true, Applications::exact),
          new One("http-local", List.of("local"), MANY, false, Applications::local),
          new One("http-naive-lua", pooled("naive-lua"), MANY, true, Applications::naiveLua),
          new One(
              "http-bucket4j-redis", pooled("bucket4j-redis"), MANY, true, Applications::bucket4j),
          new One(
              "http-bucket4j-local",
              List.of("bucket4j"),
              MANY,
              false,
              Applications::bucket4jLocal));

  private Applications() {}

  private static List<String> pooled(String name) {
    return IntStream.range(0, POOLS.size()).mapToObj(i -> name + "-" + POOLS.get(i)).toList();
  }

  /** One client, whose requests are all of one key. */
  private static void lease(WebServer server, String name, String redis, int pool)
      throws IOException {
    server.weir(
        name,
        """
        application: lease
        redis: { uri: "%s", deadline: 1s }
        listener: dev.weir.bench.http.Outages
        limits: { api: { token-bucket: 1_000_000 per second, burst: 1_000_000, leases: auto } }
        rules: [{ name: api, match: /**, subject: "header:X-API-Key", limits: [api] }]
        """
            .formatted(redis));
  }

  private static void exact(WebServer server, String name, String redis, int pool)
      throws IOException {
    server.weir(
        name,
        """
        application: bench
        redis: { uri: "%s", deadline: 1s, deny-cache: off }
        listener: dev.weir.bench.http.Outages
        limits: { api: "%s" }
        rules: [{ name: api, match: /**, subject: "header:X-API-Key", limits: [api] }]
        """
            .formatted(redis, NUMBERS.text()));
  }

  private static void local(WebServer server, String name, String redis, int pool)
      throws IOException {
    server.weir(
        name,
        """
        limits: { api: "%s" }
        rules: [{ name: api, match: /**, subject: "header:X-API-Key", limits: [api] }]
        """
            .formatted(NUMBERS.text()));
  }

  private static void naiveLua(WebServer server, String name, String redis, int pool) {
    NaiveLua limiter = new NaiveLua(redis, pool, 0, NUMBERS);
    server.filter(name, new KeyFilter(limiter::admits), limiter);
  }

  private static void bucket4j(WebServer server, String name, String redis, int pool) {
    Bucket4jRedis limiter = new Bucket4jRedis(redis, pool, 0, NUMBERS);
    server.filter(name, new KeyFilter(limiter::admits), limiter);
  }

  private static void bucket4jLocal(WebServer server, String name, String redis, int pool) {
    LocalBuckets limiter = new LocalBuckets(NUMBERS);
    server.filter(name, new KeyFilter(limiter::admits), () -> {});
  }
}
