package dev.weir.bench.metric;

import dev.weir.bench.Metric;
import dev.weir.bench.Results;
import dev.weir.bench.Rounds;
import dev.weir.bench.Row;
import dev.weir.bench.Workbench;
import dev.weir.bench.jmh.Jmh;
import dev.weir.bench.jmh.Jmh.Cost;
import dev.weir.bench.jmh.LeasedDecisions;
import dev.weir.bench.jmh.LocalDecisions;
import dev.weir.bench.jmh.NearDecisions;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.ToDoubleFunction;
import org.openjdk.jmh.runner.RunnerException;

/**
 * The cost of a decision that is made in process, in nanoseconds and in bytes: by the local store,
 * and by what is remembered of Redis.
 */
final class LocalTime implements Metric {

  static final String BUCKET4J = "bucket4j-local";
  private static final String RESILIENCE4J = "resilience4j-local";
  private static final String DENIED = "denied";
  private static final String LEASED = "leased";
  private static final String REFILLED = "refilled";

  /** So few permits return in a second that no bucket is ever full again. */
  static final long KEPT = 1;

  @Override
  public List<String> names() {
    return List.of(
        "local-time",
        "local-time-refilled",
        "local-bytes",
        "inprocess-ns",
        "inprocess-bytes",
        "inprocess-ns-deny-cache",
        "inprocess-bytes-deny-cache",
        "inprocess-ns-lease",
        "inprocess-bytes-lease");
  }

  static Cost local(String method, long perSecond) throws RunnerException {
    Map<String, String> parameters = Map.of("perSecond", String.valueOf(perSecond));
    return Jmh.once(LocalDecisions.class, method, parameters, "");
  }

  @Override
  public Duration plan() {
    return Duration.ofSeconds(170);
  }

  @Override
  public List<Row> measure(Workbench bench) throws Exception {
    String redis = bench.redis().uri();
    Map<String, Rounds.Measured<Cost>> all = new LinkedHashMap<>();
    all.put(Lineup.OURS, () -> local("weir", KEPT));
    all.put(BUCKET4J, () -> local("bucket4j", KEPT));
    all.put(RESILIENCE4J, () -> local("resilience4j", KEPT));
    all.put(REFILLED, () -> local("weir", 1_000_000));
    all.put(DENIED, () -> Jmh.once(NearDecisions.class, "denied", Map.of(), redis));
    all.put(LEASED, () -> Jmh.once(LeasedDecisions.class, "leased", Map.of(), redis));
    Results<Cost> found = Rounds.interleaved(bench.rounds(Rounds.USUAL), all);
    return List.of(
        found.row("local-time", Lineup.OURS, BUCKET4J, Cost::nanos),
        found.row("local-time", Lineup.OURS, RESILIENCE4J, Cost::nanos),
        found.row("local-time-refilled", REFILLED, BUCKET4J, Cost::nanos),
        found.row("local-bytes", Lineup.OURS, BUCKET4J, Cost::bytes),
        found.row("local-bytes", Lineup.OURS, RESILIENCE4J, Cost::bytes),
        found.row("inprocess-ns", dearer(found, Cost::nanos), BUCKET4J, Cost::nanos),
        found.row("inprocess-bytes", dearer(found, Cost::bytes), BUCKET4J, Cost::bytes),
        found.row("inprocess-ns-deny-cache", DENIED, BUCKET4J, Cost::nanos),
        found.row("inprocess-bytes-deny-cache", DENIED, BUCKET4J, Cost::bytes),
        found.row("inprocess-ns-lease", LEASED, BUCKET4J, Cost::nanos),
        found.row("inprocess-bytes-lease", LEASED, BUCKET4J, Cost::bytes));
  }

  /** Returns the more expensive of the two decisions that avoid Redis. */
  private static String dearer(Results<Cost> found, ToDoubleFunction<Cost> cost) {
    return found.median(DENIED, cost) > found.median(LEASED, cost) ? DENIED : LEASED;
  }
}
