package dev.weir.bench.http;

import dev.weir.bench.Metric;
import dev.weir.bench.Results;
import dev.weir.bench.Rounds;
import dev.weir.bench.Row;
import dev.weir.bench.Workbench;
import dev.weir.bench.http.Driver.Outcome;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Requests per second that Jetty serves with each filter, beside those it serves without one. */
public final class HttpThroughput implements Metric {

  static final String UNLIMITED = "unlimited";

  private static final int CONNECTIONS = 32;
  private static final int WARM_UPS = 3;
  private static final long ROUND_MILLIS = 2_000;
  private static final long TRIAL_MILLIS = 1_000;

  @Override
  public List<String> names() {
    return Applications.ALL.stream().map(Applications.One::metric).toList();
  }

  @Override
  public List<Row> measure(Workbench bench) throws Exception {
    try (WebServer server = new WebServer();
        DriverProcess driver = DriverProcess.start()) {
      server.unlimited(UNLIMITED);
      for (Applications.One one : Applications.ALL) {
        one.deploy(server, bench.redis().uri());
      }
      server.start();
      Requesting requesting = new Requesting(server, driver);
      requesting.warmUp();
      Results<Outcome> pools = Rounds.interleaved(2, requesting.all(TRIAL_MILLIS));
      Results<Outcome> found = Rounds.interleaved(Rounds.USUAL, requesting.all(ROUND_MILLIS));
      return rows(found, pools, bench);
    }
  }

  private static List<Row> rows(Results<Outcome> found, Results<Outcome> trials, Workbench bench) {
    List<Row> rows = new ArrayList<>();
    List<String> chosen = new ArrayList<>();
    for (Applications.One one : Applications.ALL) {
      String best = one.best(name -> trials.median(name, Outcome::perSecond));
      if (one.variants().size() > 1) {
        chosen.add(best);
      }
      rows.add(found.row(one.metric(), best, UNLIMITED, Outcome::perSecond));
    }
    bench.remark(
        "HTTP, %d connections; pools: %s".formatted(CONNECTIONS, String.join(", ", chosen)));
    return rows;
  }

  /** Whom the requests go to. */
  private record Requesting(WebServer server, DriverProcess driver) {

    void warmUp() throws Exception {
      for (int i = 0; i < WARM_UPS; i++) {
        Rounds.interleaved(1, all(TRIAL_MILLIS));
      }
    }

    Map<String, Rounds.Measured<Outcome>> all(long millis) {
      Map<String, Rounds.Measured<Outcome>> all = new LinkedHashMap<>();
      all.put(UNLIMITED, () -> served(UNLIMITED, Applications.MANY, millis));
      for (Applications.One one : Applications.ALL) {
        for (String variant : one.variants()) {
          all.put(variant, () -> served(variant, one.keys(), millis));
        }
      }
      return all;
    }

    private Outcome served(String application, int keys, long millis) throws Exception {
      Outcome outcome =
          driver.run(new Driver(server.port(), "/" + application + "/", keys, CONNECTIONS, millis));
      if (outcome.failures() > 0) {
        throw new IllegalStateException(
            "%s: %d answers other than 200 (expected: 0)"
                .formatted(application, outcome.failures()));
      }
      return outcome;
    }
  }
}
