package dev.weir.bench.http;

import dev.weir.bench.Metric;
import dev.weir.bench.RedisUnderTest;
import dev.weir.bench.Results;
import dev.weir.bench.Rounds;
import dev.weir.bench.Row;
import dev.weir.bench.Workbench;
import dev.weir.bench.http.Driver.Outcome;
import dev.weir.bench.load.Usage;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Requests per second that Jetty serves with each filter, compared with those without one. Also the
 * processor time of the server for each request, in microseconds.
 */
public final class HttpThroughput implements Metric {

  static final String UNLIMITED = "unlimited";

  private static final int CONNECTIONS = 32;
  private static final int WARM_UPS = 3;
  private static final long ROUND_MILLIS = 2_000;
  private static final long TRIAL_MILLIS = 700;

  @Override
  public List<String> names() {
    return Applications.ALL.stream()
        .flatMap(one -> Stream.of(one.metric(), one.costMetric()))
        .toList();
  }

  @Override
  public Duration plan() {
    return Duration.ofSeconds(130);
  }

  @Override
  public List<Row> measure(Workbench bench) throws Exception {
    try (WebServer server = new WebServer();
        DriverProcess driver = DriverProcess.start()) {
      server.unlimited(UNLIMITED);
      for (Application one : Applications.ALL) {
        one.deploy(server, bench.redis().uri());
      }
      server.start();
      Requesting requesting = new Requesting(server, driver);
      requesting.warmUp();
      requesting.requireCharges(bench.redis());
      Results<Served> trials = Rounds.interleaved(2, requesting.all(TRIAL_MILLIS));
      Map<String, String> best = best(trials);
      bench.remark(
          "HTTP, %d connections; of pools: %s".formatted(CONNECTIONS, pooled(best.values())));
      Outages.forget();
      Results<Served> found =
          Rounds.interleaved(
              bench.rounds(Rounds.USUAL), requesting.those(best.values(), ROUND_MILLIS));
      Outages.requireNone();
      return rows(found, best);
    }
  }

  /** Returns, by metric, the variant of each application that served most. */
  private static Map<String, String> best(Results<Served> trials) {
    Map<String, String> best = new LinkedHashMap<>();
    for (Application one : Applications.ALL) {
      best.put(one.metric(), one.best(name -> trials.median(name, Served::perSecond)));
    }
    return best;
  }

  private static String pooled(Collection<String> best) {
    return best.stream().filter(name -> name.matches(".*-\\d+")).collect(Collectors.joining(", "));
  }

  private static List<Row> rows(Results<Served> found, Map<String, String> best) {
    List<Row> rows = new ArrayList<>();
    for (Application one : Applications.ALL) {
      String variant = best.getOrDefault(one.metric(), UNLIMITED);
      rows.add(found.row(one.metric(), variant, UNLIMITED, Served::perSecond));
      rows.add(found.row(one.costMetric(), variant, UNLIMITED, Served::cpuMicros));
    }
    return rows;
  }

  /**
   * The result of a round.
   *
   * @param cpuNanos of the server and its filters, without the driver and Redis
   */
  private record Served(Outcome outcome, long cpuNanos) {

    double perSecond() {
      return outcome.perSecond();
    }

    double cpuMicros() {
      return cpuNanos / 1e3 / outcome.requests();
    }
  }

  /** The target of the requests. */
  private record Requesting(WebServer server, DriverProcess driver) {

    void warmUp() throws Exception {
      for (int i = 0; i < WARM_UPS; i++) {
        Rounds.interleaved(1, all(TRIAL_MILLIS));
      }
    }

    /** Checks that every filter is deployed: without one, Redis would have no keys. */
    void requireCharges(RedisUnderTest redis) throws Exception {
      for (Application one : Applications.ALL) {
        redis.clear();
        served(one.names().get(0), one.keys(), TRIAL_MILLIS);
        if (one.isInRedis() != redis.keys() >= one.keys()) {
          throw new IllegalStateException(
              "%s: %d keys in Redis (expected: %s)"
                  .formatted(one.metric(), redis.keys(), one.isInRedis() ? "all" : "none"));
        }
      }
    }

    Map<String, Rounds.Measured<Served>> all(long millis) {
      return those(Applications.ALL.stream().flatMap(one -> one.names().stream()).toList(), millis);
    }

    /** Returns the unlimited application and these. */
    Map<String, Rounds.Measured<Served>> those(Collection<String> variants, long millis) {
      Map<String, Rounds.Measured<Served>> those = new LinkedHashMap<>();
      those.put(UNLIMITED, () -> served(UNLIMITED, Applications.MANY, millis));
      for (Application one : Applications.ALL) {
        one.names().stream()
            .filter(variants::contains)
            .forEach(name -> those.put(name, () -> served(name, one.keys(), millis)));
      }
      return those;
    }

    private Served served(String application, int keys, long millis) throws Exception {
      long before = Usage.processCpuNanos();
      Outcome outcome =
          driver.run(new Driver(server.port(), "/" + application + "/", keys, CONNECTIONS, millis));
      if (outcome.failures() > 0) {
        throw new IllegalStateException(
            "%s: %d answers other than 200 (expected: 0)"
                .formatted(application, outcome.failures()));
      }
      return new Served(outcome, Usage.processCpuNanos() - before);
    }
  }
}
