package dev.weir.bench.http;

import dev.weir.bench.http.Application.Deployment;
import dev.weir.bench.http.Application.Variant;
import dev.weir.bench.peer.Bucket4jRedis;
import dev.weir.bench.peer.NaiveLua;
import dev.weir.bench.peer.Numbers;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.function.IntFunction;

/** The applications that are compared with the unlimited one. */
final class Applications {

  /** The number of clients, except where one client is the subject. */
  static final int MANY = 1_000;

  private static final List<Integer> POOLS = List.of(8, 16, 32);

  /** No bucket is ever full again, and none is ever empty. */
  private static final Numbers NUMBERS = new Numbers(1, Duration.ofSeconds(1), 1_000_000);

  static final List<Application> ALL =
      List.of(
          new Application("http-lease", only("lease", Applications::lease), 1, true),
          new Application("http-exact-1000keys", only("exact", Applications::exact), MANY, true),
          new Application("http-local", only("local", Applications::local), MANY, false),
          new Application(
              "http-naive-lua", pooled("naive-lua", Applications::naiveLua), MANY, true),
          new Application(
              "http-bucket4j-redis", pooled("bucket4j-redis", Applications::bucket4j), MANY, true),
          new Application(
              "http-bucket4j-local", only("bucket4j", Applications::bucket4jLocal), MANY, false));

  private Applications() {}

  private static List<Variant> only(String name, Deployment deployment) {
    return List.of(new Variant(name, deployment));
  }

  /** Returns one variant for each of the usual pools; the end of its name is the size. */
  private static List<Variant> pooled(String name, IntFunction<Deployment> deployment) {
    return POOLS.stream()
        .map(pool -> new Variant(name + "-" + pool, deployment.apply(pool)))
        .toList();
  }

  /** Deploys an application for one client: all its requests use one key. */
  private static void lease(WebServer server, String name, String redis) throws IOException {
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

  private static void exact(WebServer server, String name, String redis) throws IOException {
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

  private static void local(WebServer server, String name, String redis) throws IOException {
    server.weir(
        name,
        """
        limits: { api: "%s" }
        rules: [{ name: api, match: /**, subject: "header:X-API-Key", limits: [api] }]
        """
            .formatted(NUMBERS.text()));
  }

  private static Deployment naiveLua(int pool) {
    return (server, name, redis) -> {
      NaiveLua limiter = new NaiveLua(redis, pool, 0, NUMBERS);
      server.filter(name, new KeyFilter(limiter::admits), limiter);
    };
  }

  private static Deployment bucket4j(int pool) {
    return (server, name, redis) -> {
      Bucket4jRedis limiter = new Bucket4jRedis(redis, pool, 0, NUMBERS);
      server.filter(name, new KeyFilter(limiter::admits), limiter);
    };
  }

  private static void bucket4jLocal(WebServer server, String name, String redis) {
    LocalBuckets limiter = new LocalBuckets(NUMBERS);
    server.filter(name, new KeyFilter(limiter::admits), () -> {});
  }
}
