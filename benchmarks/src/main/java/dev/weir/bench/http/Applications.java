package dev.weir.bench.http;

import dev.weir.bench.http.Application.Deployment;
import dev.weir.bench.http.Application.Variant;
import dev.weir.bench.peer.Build;
import dev.weir.bench.peer.EarlierJar;
import dev.weir.bench.peer.Keys;
import jakarta.servlet.Filter;
import java.io.IOException;
import java.util.List;
import java.util.Map;

/** The applications that are compared with the unlimited one. */
final class Applications {

  /** The number of clients, except where one client is the subject. */
  static final int MANY = 1_000;

  private static final List<Integer> POOLS = List.of(8, 16, 32);

  static final Application UNLIMITED =
      new Application(
          "unlimited",
          only("unlimited", (server, name, redis) -> server.unlimited(name)),
          MANY,
          false);

  static final Application EXACT =
      new Application("http-exact-1000keys", only("exact", Applications::exact), MANY, true);

  static final Application NAIVE =
      new Application("http-naive-lua", pooled("naive-lua", NaiveLuaFilter.class), MANY, true);

  /** Those that limit. */
  static final List<Application> LIMITED =
      List.of(
          new Application("http-lease", only("lease", Applications::lease), 1, true),
          EXACT,
          new Application("http-local", only("local", Applications::local), MANY, false),
          NAIVE,
          new Application(
              "http-bucket4j-redis",
              pooled("bucket4j-redis", Bucket4jRedisFilter.class),
              MANY,
              true),
          new Application(
              "http-bucket4j-local",
              only(
                  "bucket4j",
                  (server, name, redis) ->
                      server.filter(name, Build.current(), Bucket4jLocalFilter.class, Map.of())),
              MANY,
              false));

  private Applications() {}

  /** Returns the exact application with the filter of an earlier build. */
  static Application before(EarlierJar jar) {
    Deployment deployment =
        (server, name, redis) -> {
          Build build = Build.earlier(jar);
          server.weir(name, exactYaml(build.application(), redis), build);
        };
    return new Application(Build.EARLIER, only(Build.EARLIER, deployment), MANY, true);
  }

  private static List<Variant> only(String name, Deployment deployment) {
    return List.of(new Variant(name, deployment));
  }

  /** Returns one variant for each of the usual pools; the end of its name is the size. */
  private static List<Variant> pooled(String name, Class<? extends Filter> filter) {
    return POOLS.stream()
        .map(pool -> new Variant(name + "-" + pool, pooled(filter, pool.toString())))
        .toList();
  }

  private static Deployment pooled(Class<? extends Filter> filter, String pool) {
    return (server, name, redis) ->
        server.filter(name, Build.current(), filter, Map.of("redis", redis, "pool", pool));
  }

  /** Deploys an application for one client: all its requests use one key. */
  private static void lease(WebServer server, String name, String redis) throws IOException {
    server.weir(
        name,
        """
        application: lease
        redis: { uri: "%s", deadline: 1s }
        listener: dev.weir.bench.peer.Outages
        limits: { api: { token-bucket: 1_000_000 per second, burst: 1_000_000, leases: auto } }
        rules: [{ name: api, match: /**, subject: "header:X-API-Key", limits: [api] }]
        """
            .formatted(redis));
  }

  private static void exact(WebServer server, String name, String redis) throws IOException {
    server.weir(name, exactYaml(Keys.APPLICATION, redis));
  }

  private static String exactYaml(String application, String redis) {
    return """
    application: %s
    redis: { uri: "%s", deadline: 1s, deny-cache: off }
    listener: dev.weir.bench.peer.Outages
    limits: { api: "%s" }
    rules: [{ name: api, match: /**, subject: "header:X-API-Key", limits: [api] }]
    """
        .formatted(application, redis, KeyFilter.NUMBERS.text());
  }

  private static void local(WebServer server, String name, String redis) throws IOException {
    server.weir(
        name,
        """
        limits: { api: "%s" }
        rules: [{ name: api, match: /**, subject: "header:X-API-Key", limits: [api] }]
        """
            .formatted(KeyFilter.NUMBERS.text()));
  }
}
