package dev.weir.bench.http;

import dev.weir.bench.RedisUnderTest;
import dev.weir.bench.Results;
import dev.weir.bench.Rounds;
import dev.weir.bench.Row;
import dev.weir.bench.Workbench;
import dev.weir.bench.http.Driver.Outcome;
import dev.weir.bench.load.Compilation;
import dev.weir.bench.load.Usage;
import dev.weir.bench.load.Warmth;
import dev.weir.bench.peer.SeenOutages;
import java.time.Duration;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.ToDoubleFunction;
import java.util.stream.Collectors;

/**
 * A comparison of applications on one Jetty, over so many connections. All are warm before the
 * first round, and each is measured in the variant that serves most.
 */
record Comparison(int connections, List<Application> applications) {

  private static final long ROUND_MILLIS = 2_000;
  private static final long TRIAL_MILLIS = 700;
  private static final int TRIALS = 2;

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
  record Found(Results<Served> results, Map<Application, String> best, Warmth warmth) {

    /** Returns the throughput and the cost of our exact filter beside this peer. */
    List<Row> exact(List<String> metrics, Application peer, String peerName) {
      return List.of(
          row(metrics.get(0), Applications.EXACT, peer, peerName, Served::perSecond),
          row(metrics.get(1), Applications.EXACT, peer, peerName, Served::cpuMicros));
    }

    Row row(
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
  }

  Found measure(Workbench bench) throws Exception {
    try (WebServer server = new WebServer();
        DriverProcess driver = DriverProcess.start()) {
      for (Application one : applications) {
        one.deploy(server, bench.redis().uri());
      }
      server.start();
      Target target = new Target(server, driver);
      List<String> all = applications.stream().flatMap(one -> one.names().stream()).toList();
      Warmth warmth =
          Compilation.ofThisJvm()
              .finish(
                  Duration.ofMillis(TRIAL_MILLIS),
                  () -> Rounds.interleaved(1, those(target, all, TRIAL_MILLIS)));
      requireCharges(target, bench.redis());
      Map<Application, String> best =
          best(Rounds.interleaved(TRIALS, those(target, all, TRIAL_MILLIS)));
      bench.remark(
          "HTTP, %d connections; %s; of pools: %s"
              .formatted(connections, warmth, pooled(best.values())));
      SeenOutages.forget();
      Results<Served> results =
          Rounds.interleaved(
              bench.rounds(Rounds.USUAL), those(target, best.values(), ROUND_MILLIS));
      SeenOutages.requireNone();
      return new Found(results, best, warmth);
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

  private static String pooled(Collection<String> best) {
    return best.stream().filter(name -> name.matches(".*-\\d+")).collect(Collectors.joining(", "));
  }

  /** Checks that every filter is deployed: without one, Redis would have no keys. */
  private void requireCharges(Target target, RedisUnderTest redis) throws Exception {
    for (Application one : applications) {
      redis.clear();
      served(target, one.names().get(0), one.keys(), TRIAL_MILLIS);
      if (one.isInRedis() != redis.keys() >= one.keys()) {
        throw new IllegalStateException(
            "%s: %d keys in Redis (expected: %s)"
                .formatted(one.metric(), redis.keys(), one.isInRedis() ? "all" : "none"));
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
          .forEach(name -> those.put(name, () -> served(target, name, one.keys(), millis)));
    }
    return those;
  }

  private Served served(Target target, String variant, int keys, long millis) throws Exception {
    long before = Usage.processCpuNanos();
    Outcome outcome =
        target
            .driver()
            .run(
                new Driver(target.server().port(), "/" + variant + "/", keys, connections, millis));
    if (outcome.failures() > 0) {
      throw new IllegalStateException(
          "%s: %d answers other than 200 (expected: 0)".formatted(variant, outcome.failures()));
    }
    return new Served(outcome, Usage.processCpuNanos() - before);
  }

  /** The server, and what sends it requests. */
  private record Target(WebServer server, DriverProcess driver) {}
}
