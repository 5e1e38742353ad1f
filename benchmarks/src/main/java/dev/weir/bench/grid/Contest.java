package dev.weir.bench.grid;

import dev.weir.bench.Results;
import dev.weir.bench.Rounds;
import dev.weir.bench.load.Compilation;
import dev.weir.bench.load.Load;
import dev.weir.bench.load.Load.Outcome;
import dev.weir.bench.load.PoolChoice;
import dev.weir.bench.load.Warmth;
import dev.weir.bench.peer.Contender;
import dev.weir.bench.peer.NaiveLua;
import dev.weir.bench.peer.Numbers;
import dev.weir.bench.peer.Ours;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
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
  private static final List<Integer> POOLS = List.of(8, 16, 32, 64);
  private static final Duration TRIAL = Duration.ofMillis(500);
  private static final Duration ROUND = Duration.ofSeconds(2);

  /** The approximate duration, with so many rounds. */
  static final Duration PLAN = Duration.ofSeconds(50);

  /**
   * The result of a round.
   *
   * @param switches voluntary context switches of this process for each decision; NaN where the
   *     machine does not report them
   */
  private record Round(double perSecond, double p99Micros, double switches) {}

  Found at(String uri) throws Exception {
    ExecutorService executor = threads.start(callers);
    try (Ours ours = Ours.exact(uri, KEYS, Numbers.ROOMY)) {
      return on(executor, uri, ours);
    } finally {
      executor.shutdown();
    }
  }

  private Found on(ExecutorService executor, String uri, Ours ours) throws Exception {
    Load trial = new Load(callers, KEYS, TRIAL);
    PoolChoice.Chosen naive =
        PoolChoice.best(
            POOLS,
            pool -> new NaiveLua(uri, pool, KEYS, Numbers.ROOMY),
            contender -> trial.on(contender, executor));
    try (Contender peer = naive.contender()) {
      Warmth warmth =
          Compilation.ofThisJvm()
              .finish(
                  TRIAL,
                  () -> {
                    trial.on(ours, executor);
                    trial.on(peer, executor);
                  });
      ours.forgetStrays();
      Map<String, Rounds.Measured<Round>> measured = new LinkedHashMap<>();
      measured.put(OURS, () -> round(OURS, ours, executor));
      measured.put(NaiveLua.NAME, () -> round(NaiveLua.NAME, peer, executor));
      Results<Round> found = Rounds.interleaved(rounds, measured);
      ours.requireNoStrays();
      return new Found(figures(found, OURS), figures(found, NaiveLua.NAME), naive.pool(), warmth);
    }
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
