package dev.weir.bench.metric;

import dev.weir.bench.Metric;
import dev.weir.bench.Results;
import dev.weir.bench.Rounds;
import dev.weir.bench.Row;
import dev.weir.bench.Workbench;
import dev.weir.bench.load.Load;
import dev.weir.bench.peer.Contender;
import dev.weir.bench.peer.NaiveLua;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.TreeMap;
import org.HdrHistogram.Histogram;

/** How long one thread waits for a decision of Redis, in microseconds, over 1000 keys. */
final class ExactLatency implements Metric {

  private static final int KEYS = 1_000;
  private static final int ROUNDS = 7;
  private static final Duration ROUND = Duration.ofMillis(1_500);

  private static final Map<String, Double> PERCENTILES =
      new TreeMap<>(
          Map.of(
              "exact-1t-latency-p50", 50.0,
              "exact-1t-latency-p99", 99.0,
              "exact-1t-latency-p99.9", 99.9));

  @Override
  public List<String> names() {
    return List.copyOf(PERCENTILES.keySet());
  }

  @Override
  public Duration plan() {
    return Duration.ofSeconds(58);
  }

  @Override
  public List<Row> measure(Workbench bench) throws Exception {
    Load trial = new Load(1, KEYS, Duration.ofSeconds(1));
    try (Lineup lineup = Lineup.of(Lineup.NAIVE, trial, bench)) {
      Map<String, Rounds.Measured<Histogram>> measured = new LinkedHashMap<>();
      lineup.all().forEach((name, one) -> measured.put(name, () -> latencies(one)));
      Results<Histogram> found = Rounds.interleaved(bench.rounds(ROUNDS), measured);
      lineup.requireExact();
      return rows(found);
    }
  }

  private static Histogram latencies(Contender contender) {
    Histogram histogram = new Histogram(3);
    SplittableRandom random = new SplittableRandom(1);
    long due = System.nanoTime() + ROUND.toNanos();
    long before = System.nanoTime();
    while (before - due < 0) {
      if (!contender.admits(random.nextInt(KEYS))) {
        throw new IllegalStateException("a denial (expected: none)");
      }
      long after = System.nanoTime();
      histogram.recordValue(after - before);
      before = after;
    }
    return histogram;
  }

  private List<Row> rows(Results<Histogram> found) {
    List<Row> rows = new ArrayList<>();
    PERCENTILES.forEach(
        (metric, percentile) ->
            rows.add(
                found.row(
                    metric,
                    Lineup.OURS,
                    NaiveLua.NAME,
                    round -> round.getValueAtPercentile(percentile) / 1e3)));
    return rows;
  }
}
