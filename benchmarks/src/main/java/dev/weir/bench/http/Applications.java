package dev.weir.bench.http;

import dev.weir.bench.http.Application.Deployment;
import dev.weir.bench.http.Application.Kind;
import dev.weir.bench.http.Application.Site;
import dev.weir.bench.http.Application.Variant;
import dev.weir.bench.load.PoolChoice;
import dev.weir.bench.peer.Bucket4jRedis;
import dev.weir.bench.peer.Build;
import dev.weir.bench.peer.EarlierJar;
import dev.weir.bench.peer.NaiveLua;
import dev.weir.bench.peer.Numbers;
import java.io.IOException;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** The applications that are compared. */
final class Applications {

  /** The number of clients, except where one client is the subject. */
  private static final int MANY = 1_000;

  /** No bucket is ever full again, and none is ever empty. */
  private static final Numbers USUAL = new Numbers(1, Duration.ofSeconds(1), 1_000_000);

  // as the MBean of Weir names them
  private static final String BY_REDIS = "redis";
  private static final String BY_LEASE = "lease";
  private static final String BY_DENY_CACHE = "deny_cache";
  private static final String IN_PROCESS = "local";

  /** The rule of all limits. */
  private static final String RULES =
      "rules: [{ name: api, match: /**, subject: \"header:X-API-Key\", limits: [api] }]\n";

  private Applications() {}

  static Application unlimited() {
    return new Application(
        "unlimited",
        Kind.UNLIMITED,
        only("unlimited", (name, site) -> site.server().unlimited(name)),
        MANY,
        USUAL,
        Set.of(),
        Optional.empty());
  }

  /** Returns Weir, with each decision made in Redis. */
  static Application exact() {
    return exact("http-exact-1000keys", "exact", Optional.empty());
  }

  /** Returns the same of an earlier build. */
  static Application before(EarlierJar jar) {
    return exact(Build.EARLIER, Build.EARLIER, Optional.of(jar));
  }

  private static Application exact(String metric, String name, Optional<EarlierJar> jar) {
    return new Application(
        metric, Kind.IN_REDIS, only(name, Applications::exact), MANY, USUAL, Set.of(BY_REDIS), jar);
  }

  private static void exact(String name, Site site) throws IOException {
    String yaml =
        """
        application: %s
        redis: { uri: "%s", deadline: 1s, deny-cache: off }
        limits: { api: "%s" }
        """
            .formatted(site.build().application(), site.redis(), site.numbers().text());
    site.server().weir(name, yaml + RULES, site.build());
  }

  /** Returns Weir for one client: all its requests use one key, under lease. */
  static Application lease() {
    return new Application(
        "http-lease",
        Kind.IN_REDIS,
        only("lease", Applications::lease),
        1,
        Numbers.ROOMY,
        Set.of(BY_LEASE, BY_REDIS),
        Optional.empty());
  }

  private static void lease(String name, Site site) throws IOException {
    Numbers numbers = site.numbers();
    String yaml =
        """
        application: lease
        redis: { uri: "%s", deadline: 1s }
        limits: { api: { token-bucket: %d per %ds, burst: %d, leases: auto } }
        """
            .formatted(
                site.redis(), numbers.permits(), numbers.period().toSeconds(), numbers.burst());
    site.server().weir(name, yaml + RULES, site.build());
  }

  /** Returns Weir for one client that has used up its limit, as the deny cache remembers. */
  static Application denied() {
    return new Application(
        "http-denied",
        Kind.IN_REDIS,
        only("denied", Applications::denied),
        1,
        Numbers.SCARCE,
        Set.of(BY_DENY_CACHE, BY_REDIS),
        Optional.empty());
  }

  private static void denied(String name, Site site) throws IOException {
    String yaml =
        """
        application: denied
        redis: { uri: "%s", deadline: 1s }
        limits: { api: "%s" }
        """
            .formatted(site.redis(), site.numbers().text());
    site.server().weir(name, yaml + RULES, site.build());
  }

  /** Returns Weir without Redis. */
  static Application local() {
    return new Application(
        "http-local",
        Kind.IN_PROCESS,
        only("local", Applications::local),
        MANY,
        USUAL,
        Set.of(IN_PROCESS),
        Optional.empty());
  }

  private static void local(String name, Site site) throws IOException {
    String yaml = "limits: { api: \"%s\" }\n".formatted(site.numbers().text());
    site.server().weir(name, yaml + RULES, site.build());
  }

  static Application naive(int connections) {
    return pooled(NaiveLua.NAME, connections);
  }

  static Application bucket4jRedis(int connections) {
    return pooled(Bucket4jRedis.NAME, connections);
  }

  /** Returns one variant for each pool that may be best; the end of its name is the size. */
  private static Application pooled(String peer, int connections) {
    List<Variant> variants =
        PoolChoice.sizes(connections).stream()
            .map(pool -> new Variant(peer + "-" + pool, pooled(peer, pool.toString())))
            .toList();
    return new Application(
        "http-" + peer, Kind.IN_REDIS, variants, MANY, USUAL, Set.of(), Optional.empty());
  }

  private static Deployment pooled(String peer, String pool) {
    return (name, site) -> {
      Map<String, String> parameters = new HashMap<>(KeyFilter.parameters(site.numbers()));
      parameters.putAll(Map.of("peer", peer, "redis", site.redis(), "pool", pool));
      site.server().filter(name, site.build(), PooledFilter.class, parameters);
    };
  }

  static Application bucket4jLocal() {
    Deployment deployment =
        (name, site) ->
            site.server()
                .filter(
                    name,
                    site.build(),
                    Bucket4jLocalFilter.class,
                    KeyFilter.parameters(site.numbers()));
    return new Application(
        "http-bucket4j-local",
        Kind.IN_PROCESS,
        only("bucket4j", deployment),
        MANY,
        USUAL,
        Set.of(),
        Optional.empty());
  }

  private static List<Variant> only(String name, Deployment deployment) {
    return List.of(new Variant(name, deployment));
  }
}
