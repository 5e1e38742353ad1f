package dev.weir.bench.cost;

import dev.weir.bench.Median;
import dev.weir.bench.RedisUnderTest;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/**
 * Measures what calls cost Redis by {@code INFO cpu}: the time of its process on a processor. That
 * is all that a call costs: its script, to read it and to reply. {@code INFO commandstats} leaves
 * those two out, and counts the time during which another process has the processor.
 *
 * <p>Calls are sent in pipelines, so Redis does not fall asleep between them. A lone call costs it
 * up to 50 µs more, which is the machine's business and depends on what else runs there.
 */
final class Meter {

  private static final Duration SLICE = Duration.ofMillis(250);
  private static final int CALIBRATIONS = 101;
  private static final int PIPELINE = 100;

  /** A batch may take a third of a second. */
  private static final int PIPELINE_OF_BATCHES = 4;

  private final RedisUnderTest redis;
  private final double own;

  Meter(RedisUnderTest redis) {
    this.redis = redis;
    List<Double> all = new ArrayList<>();
    for (int i = 0; i < CALIBRATIONS; i++) {
      double before = redis.cpuMicros();
      all.add(redis.cpuMicros() - before);
    }
    own = Median.of(all, Double::doubleValue);
  }

  /** The cost of a decision that can be repeated, in microseconds. */
  double decision(Replay replay, Call call) throws Exception {
    return repeated(() -> replay.send(PIPELINE, call)) / PIPELINE;
  }

  /** The cost of as many decisions as the rows are of. */
  double batch(Replay replay, Batch batch) throws Exception {
    double micros = repeated(() -> replay.send(PIPELINE_OF_BATCHES, batch.call()));
    return micros / PIPELINE_OF_BATCHES * Batch.SIZE / batch.decisions();
  }

  private double repeated(Work work) throws Exception {
    double before = redis.cpuMicros();
    long end = System.nanoTime() + SLICE.toNanos();
    int times = 0;
    do {
      work.once();
      times++;
    } while (System.nanoTime() - end < 0);
    return since(before) / times;
  }

  /** The cost of this in all. */
  double once(Work work) throws Exception {
    double before = redis.cpuMicros();
    work.once();
    return since(before);
  }

  /** Without what the measurement costs. */
  private double since(double before) {
    return Math.max(0, redis.cpuMicros() - before - own);
  }
}
