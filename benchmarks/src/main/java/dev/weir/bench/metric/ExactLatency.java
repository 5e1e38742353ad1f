package dev.weir.bench.metric;

import dev.weir.bench.Metric;
import dev.weir.bench.Results;
import dev.weir.bench.Rounds;
import dev.weir.bench.Row;
import dev.weir.bench.Workbench;
import dev.weir.bench.load.Load;
import dev.weir.bench.load.Usage;
import dev.weir.bench.peer.Contender;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.HdrHistogram.Histogram;

/**
 * How long one thread waits for a decision of Redis, in microseconds, over 1000 keys. Also the cost
 * of a decision to its process.
 */
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

  private static final String COST = "client-cpu-1t";

  /** The result of a round: how long each decision took, and the processor time of all. */
  private record Latencies(Histogram histogram, long cpuNanos) {

    double micros(double percentile) {
      return histogram.getValueAtPercentile(percentile) / 1e3;
    }

    double cpuMicros() {
      return cpuNanos / 1e3 / histogram.getTotalCount();
    }
  }

  @Override
  public List<String> names() {
    return Stream.concat(PERCENTILES.keySet().stream(), Stream.of(COST)).toList();
  }

  @Override
  public Duration plan() {
    return Duration.ofSeconds(60);
  }

  @Override
  public List<Row> measure(Workbench bench) throws Exception {
    Load trial = new Load(1, KEYS, Duration.ofSeconds(1));
    try (Lineup lineup = Lineup.of(Lineup.NAIVE, trial, bench)) {
      Map<String, Rounds.Measured<Latencies>> measured = new LinkedHashMap<>();
      lineup.all().forEach((name, one) -> measured.put(name, () -> latencies(one)));
      Results<Latencies> found = Rounds.interleaved(bench.rounds(ROUNDS), measured);
      lineup.requireExact();
      return lineup.noted(
          lineup.peers().stream().flatMap(peer -> rows(found, peer).stream()).toList());
    }
  }

  private static Latencies latencies(Contender contender) {
    long cpuBefore = Usage.processCpuNanos();
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
    return new Latencies(histogram, Usage.processCpuNanos() - cpuBefore);
  }

  private static List<Row> rows(Results<Latencies> found, String peer) {
    List<Row> rows = new ArrayList<>();
    PERCENTILES.forEach(
        (metric, percentile) ->
            rows.add(found.row(metric, Lineup.OURS, peer, round -> round.micros(percentile))));
    rows.add(found.row(COST, Lineup.OURS, peer, Latencies::cpuMicros));
    return rows;
  }
}
