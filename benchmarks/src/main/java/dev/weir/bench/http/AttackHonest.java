package dev.weir.bench.http;

import dev.weir.bench.Metric;
import dev.weir.bench.Results;
import dev.weir.bench.Rounds;
import dev.weir.bench.Row;
import dev.weir.bench.Workbench;
import dev.weir.bench.http.Driver.Outcome;
import dev.weir.bench.load.Compilation;
import dev.weir.bench.load.Warmth;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;

/**
 * Requests per second of honest clients behind the exact filter while as many connections flood the
 * server with made-up keys, compared with those without the flood. Each made-up key is a counter
 * that Redis does not have yet. Both drivers are closed loops, and processes of their own.
 */
public final class AttackHonest implements Metric {

  private static final String NAME = "attack-honest";
  private static final String CALM = "calm";
  private static final int CONNECTIONS = 32;
  private static final int OK = 200;
  private static final long ROUND_MILLIS = 2_000;

  /** So long the flood runs before the honest clients, and after them. */
  private static final long MARGIN_MILLIS = 300;

  @Override
  public List<String> names() {
    return List.of(NAME);
  }

  @Override
  public Duration plan() {
    return Duration.ofMinutes(2);
  }

  @Override
  public List<Row> measure(Workbench bench) throws Exception {
    Application exact = Applications.exact();
    String redis = bench.redis().uri();
    FilterCheck.of(List.of(exact), redis);
    ExecutorService background = Executors.newSingleThreadExecutor();
    try (WebServer server = new WebServer();
        DriverProcess honest = DriverProcess.start();
        DriverProcess flood = DriverProcess.start()) {
      exact.deploy(server, redis, exact.numbers());
      server.start();
      Attack attack = new Attack(server.port(), exact, honest, flood, background);
      Map<String, Rounds.Measured<Outcome>> both = new LinkedHashMap<>();
      both.put(NAME, attack::underFlood);
      both.put(CALM, attack::calm);
      Warmth warmth =
          Compilation.ofThisJvm()
              .finish(Duration.ofMillis(ROUND_MILLIS), () -> Rounds.interleaved(1, both));
      Results<Outcome> found = Rounds.interleaved(bench.rounds(Rounds.USUAL), both);
      bench.remark("HTTP, %d connections beside a flood; %s".formatted(CONNECTIONS, warmth));
      return warmth.noted(List.of(found.row(NAME, NAME, CALM, Outcome::perSecond)));
    } finally {
      background.shutdown();
    }
  }

  /** The honest clients and the others, of one server. */
  private record Attack(
      int port,
      Application exact,
      DriverProcess honest,
      DriverProcess flood,
      ExecutorService background) {

    Outcome underFlood() throws Exception {
      Driver madeUp = driver(Driver.MADE_UP, MARGIN_MILLIS + ROUND_MILLIS + MARGIN_MILLIS);
      DecisionSources before = DecisionSources.of(name());
      Future<Outcome> running = background.submit(() -> flood.run(madeUp));
      TimeUnit.MILLISECONDS.sleep(MARGIN_MILLIS);
      Outcome outcome = honest.run(driver(exact.keys(), ROUND_MILLIS));
      Outcome others = running.get();
      if (others.requests() == 0) {
        throw new IllegalStateException("no request of the flood (expected: many)");
      }
      require(outcome, before, outcome.requests() + others.requests());
      require(others, before, 0);
      return outcome;
    }

    Outcome calm() throws Exception {
      DecisionSources before = DecisionSources.of(name());
      Outcome outcome = honest.run(driver(exact.keys(), ROUND_MILLIS));
      require(outcome, before, outcome.requests());
      return outcome;
    }

    /** Checks that all was allowed, and that Redis has decided all of so many requests. */
    private void require(Outcome outcome, DecisionSources before, long requests) {
      if (outcome.failures() > 0) {
        throw new IllegalStateException(
            "%s: %d answers other than %d (expected: 0)".formatted(NAME, outcome.failures(), OK));
      }
      DecisionSources.of(name()).requireSince(before, name(), exact.sources(), requests);
    }

    private String name() {
      return exact.names().get(0);
    }

    private Driver driver(int keys, long millis) {
      return new Driver(port, "/" + name() + "/", keys, CONNECTIONS, millis, OK);
    }
  }
}
