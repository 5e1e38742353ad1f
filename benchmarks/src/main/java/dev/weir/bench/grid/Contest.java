package dev.weir.bench.grid;

import dev.weir.bench.Results;
import dev.weir.bench.Rounds;
import dev.weir.bench.load.Compilation;
import dev.weir.bench.load.Load;
import dev.weir.bench.load.Load.Outcome;
import dev.weir.bench.load.PoolChoice;
import dev.weir.bench.load.Warmth;
import dev.weir.bench.peer.Build;
import dev.weir.bench.peer.Contender;
import dev.weir.bench.peer.NaiveLua;
import dev.weir.bench.peer.Numbers;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ExecutorService;

/**
 * A comparison of Weir with {@code naive-lua}: so many callers request one permit after the other,
 * of 1000 keys, all allowed. The same threads call both, and they stay from round to round.
 */
record Contest(Threads threads, int callers, int rounds) {

  private static final String OURS = "weir";
  private static final int KEYS = 1_000;
  private static final Duration TRIAL = Duration.ofMillis(500);
  private static final Duration ROUND = Duration.ofSeconds(2);

  /** The approximate duration, with so many rounds. */
  static final Duration PLAN = Duration.ofSeconds(65);

  /**
   * The result of a round.
   *
   * @param switches voluntary context switches of this process for each decision; NaN where the
   *     machine does not report them
   */
  private record Round(double perSecond, double p99Micros, double switches) {}

  Found at(String uri) throws Exception {
    ExecutorService executor = threads.start(callers);
    try (Build build = Build.current();
        Contender ours = build.exact(uri, KEYS, Numbers.ROOMY);
        PoolChoice naive = PoolChoice.open(NaiveLua.class, uri, KEYS, Numbers.ROOMY, callers)) {
      return on(executor, ours, naive);
    } finally {
      executor.shutdown();
    }
  }

  private Found on(ExecutorService executor, Contender ours, PoolChoice naive) throws Exception {
    Load trial = new Load(callers, KEYS, TRIAL);
    Warmth warmth =
        Compilation.ofThisJvm()
            .finish(
                TRIAL,
                () -> {
                  trial.on(ours, executor);
                  for (Contender pooled : naive.all()) {
                    trial.on(pooled, executor);
                  }
                });
    PoolChoice.Chosen best = naive.best(pooled -> trial.on(pooled, executor));
    ours.forgetStrays();
    Map<String, Rounds.Measured<Round>> measured = new LinkedHashMap<>();
    measured.put(OURS, () -> round(OURS, ours, executor));
    measured.put(NaiveLua.NAME, () -> round(NaiveLua.NAME, best.contender(), executor));
    Results<Round> found = Rounds.interleaved(rounds, measured);
    ours.requireNoStrays();
    return new Found(figures(found, OURS), figures(found, NaiveLua.NAME), best.pool(), warmth);
  }

  private Round round(String name, Contender contender, ExecutorService executor) throws Exception {
    Timed timed = new Timed(contender);
    Optional<Switches> before = Switches.now();
    Outcome outcome = new Load(callers, KEYS, ROUND).on(timed, executor).requireAdmitted(name);
    double switches =
        before
            .flatMap(began -> Switches.now().map(ended -> (double) ended.since(began)))
            .orElse(Double.NaN);
    return new Round(outcome.perSecond(), timed.p99Micros(), switches / outcome.decisions());
  }

  private static Found.Figures figures(Results<Round> found, String name) {
    return new Found.Figures(
        found.median(name, Round::perSecond),
        found.median(name, Round::p99Micros),
        found.median(name, Round::switches));
  }
}
