package dev.weir.bench.http;

import dev.weir.bench.RedisUnderTest;
import dev.weir.bench.Results;
import dev.weir.bench.Rounds;
import dev.weir.bench.Row;
import dev.weir.bench.http.Application.Kind;
import dev.weir.bench.http.Driver.Outcome;
import dev.weir.bench.load.Compilation;
import dev.weir.bench.load.Usage;
import dev.weir.bench.load.Warmth;
import java.time.Duration;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.ToDoubleFunction;
import java.util.stream.Collectors;

/**
 * A comparison of applications on one Jetty, over so many connections. All are checked, and warm
 * before the first round, and each is measured in the variant that serves most.
 */
record Comparison(int connections, JettyThreads threads, List<Application> applications) {

  private static final long ROUND_MILLIS = 2_000;
  private static final long TRIAL_MILLIS = 700;
  private static final int TRIALS = 2;

  /** For longer, the deny cache remembers nothing. */
  private static final long CHARGES_MILLIS = 1_200;

  /**
   * The result of a round.
   *
   * @param cpuNanos of the server and its filters, without the driver and Redis
   */
  record Served(Outcome outcome, long cpuNanos) {

    double perSecond() {
      return outcome.perSecond();
    }

    double cpuMicros() {
      return cpuNanos / 1e3 / outcome.requests();
    }
  }

  /**
   * The results of all rounds.
   *
   * @param best the variant of each application
   */
  record Found(
      int connections, Results<Served> results, Map<Application, String> best, Warmth warmth) {

    /** Returns the throughput and the cost of an application beside this peer. */
    List<Row> rows(List<String> metrics, Application ours, Application peer, String peerName) {
      return warmth.noted(
          List.of(
              row(metrics.get(0), ours, peer, peerName, Served::perSecond),
              row(metrics.get(1), ours, peer, peerName, Served::cpuMicros)));
    }

    private Row row(
        String metric,
        Application ours,
        Application peer,
        String peerName,
        ToDoubleFunction<Served> value) {
      return new Row(metric, median(ours, value), median(peer, value), peerName);
    }

    private double median(Application one, ToDoubleFunction<Served> value) {
      return results.median(best.getOrDefault(one, one.metric()), value);
    }

    String remark() {
      String pools =
          best.values().stream()
              .filter(name -> name.matches(".*-\\d+"))
              .collect(Collectors.joining(", "));
      return "HTTP, %d connections; %s; of pools: %s".formatted(connections, warmth, pools);
    }
  }

  Found measure(RedisUnderTest redis, int rounds) throws Exception {
    FilterCheck.of(applications, redis.uri());
    redis.clear();
    try (WebServer server = new WebServer(threads);
        DriverProcess driver = DriverProcess.start()) {
      for (Application one : applications) {
        one.deploy(server, redis.uri(), one.numbers());
      }
      server.start();
      Target target = new Target(server, driver);
      List<String> all = applications.stream().flatMap(one -> one.names().stream()).toList();
      Warmth warmth =
          Compilation.ofThisJvm().finish(Duration.ofMillis(TRIAL_MILLIS), () -> warmUp(target));
      requireCharges(target, redis);
      exhaust(target);
      Map<Application, String> best =
          best(Rounds.interleaved(TRIALS, those(target, all, TRIAL_MILLIS)));
      Results<Served> results =
          Rounds.interleaved(rounds, those(target, best.values(), ROUND_MILLIS));
      return new Found(connections, results, best, warmth);
    }
  }

  /** Returns the variant of each application that served most. */
  private Map<Application, String> best(Results<Served> trials) {
    Map<Application, String> best = new LinkedHashMap<>();
    for (Application one : applications) {
      best.put(one, one.best(name -> trials.median(name, Served::perSecond)));
    }
    return best;
  }

  /** Puts all under load once; while it is cold, Redis may be too slow for a decision. */
  private void warmUp(Target target) throws Exception {
    for (Application one : applications) {
      for (String name : one.names()) {
        Outcome unused = outcome(target, name, one, TRIAL_MILLIS);
      }
    }
  }

  /** Uses up the limits of which the denials are measured. */
  private void exhaust(Target target) throws Exception {
    for (Application one : applications) {
      if (one.status() == Application.TOO_MANY_REQUESTS) {
        for (String name : one.names()) {
          Outcome unused = outcome(target, name, one, TRIAL_MILLIS);
        }
      }
    }
  }

  /** Checks that every variant counts each client: Redis would have no keys otherwise. */
  private void requireCharges(Target target, RedisUnderTest redis) throws Exception {
    for (Application one : applications) {
      for (String name : one.names()) {
        redis.clear();
        Outcome outcome = decided(target, name, one, CHARGES_MILLIS);
        boolean isInRedis = one.kind() == Kind.IN_REDIS;
        if (isInRedis != redis.keys() >= one.keys()) {
          throw new IllegalStateException(
              "%s: %d keys in Redis after %d requests (expected: %s)"
                  .formatted(name, redis.keys(), outcome.requests(), isInRedis ? "all" : "none"));
        }
      }
    }
  }

  /** Returns a round of each of these variants. */
  private Map<String, Rounds.Measured<Served>> those(
      Target target, Collection<String> variants, long millis) {
    Map<String, Rounds.Measured<Served>> those = new LinkedHashMap<>();
    for (Application one : applications) {
      one.names().stream()
          .filter(variants::contains)
          .forEach(name -> those.put(name, () -> served(target, name, one, millis)));
    }
    return those;
  }

  /**
   * @throws IllegalStateException when an answer has another status than all must have
   */
  private Served served(Target target, String variant, Application one, long millis)
      throws Exception {
    long cpuBefore = Usage.processCpuNanos();
    Outcome outcome = decided(target, variant, one, millis);
    long cpu = Usage.processCpuNanos() - cpuBefore;
    if (outcome.failures() > 0) {
      throw new IllegalStateException(
          "%s: %d answers other than %d (expected: 0)"
              .formatted(variant, outcome.failures(), one.status()));
    }
    return new Served(outcome, cpu);
  }

  /**
   * @throws IllegalStateException when Weir has decided elsewhere than it should, as in an outage
   */
  private Outcome decided(Target target, String variant, Application one, long millis)
      throws Exception {
    if (one.sources().isEmpty()) {
      return outcome(target, variant, one, millis);
    }
    DecisionSources before = DecisionSources.of(variant);
    Outcome outcome = outcome(target, variant, one, millis);
    DecisionSources.of(variant).requireSince(before, variant, one.sources(), outcome.requests());
    return outcome;
  }

  private Outcome outcome(Target target, String variant, Application one, long millis)
      throws Exception {
    return target
        .driver()
        .run(
            new Driver(
                target.server().port(),
                "/" + variant + "/",
                one.keys(),
                connections,
                millis,
                one.status()));
  }

  /** The server, and what sends it requests. */
  private record Target(WebServer server, DriverProcess driver) {}
}
