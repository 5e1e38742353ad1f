package dev.weir.bench.cost;

import dev.weir.bench.Median;
import dev.weir.bench.RedisUnderTest;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/**
 * A meter of what calls cost Redis, by {@code INFO cpu}: the processor time of its process. That is
 * the whole cost of a call: its script, its parsing and its reply. {@code INFO commandstats} omits
 * the last two. It also counts the time during which another process has the processor.
 *
 * <p>Calls are sent in pipelines, so Redis does not fall asleep between them. A single call costs
 * it up to 50 µs more, which depends on the machine and on what else runs there.
 */
final class Meter {

  private static final Duration SLICE = Duration.ofMillis(250);
  private static final int CALIBRATIONS = 101;
  static final int PIPELINE = 100;

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

  /** Returns the cost of a decision that can be repeated, in microseconds. */
  double decision(Replay replay, Call call) throws Exception {
    return repeated(() -> replay.send(PIPELINE, call)) / PIPELINE;
  }

  /** Returns the cost of as many decisions as the rows refer to. */
  double batch(Replay replay, Batch batch) throws Exception {
    double micros = repeated(() -> replay.send(PIPELINE_OF_BATCHES, batch.call()));
    return micros / PIPELINE_OF_BATCHES * Batch.SIZE / batch.decisions();
  }

  /** Returns the cost of this work, which is repeated for a while. */
  double repeated(Work work) throws Exception {
    double before = redis.cpuMicros();
    long end = System.nanoTime() + SLICE.toNanos();
    int times = 0;
    do {
      work.once();
      times++;
    } while (System.nanoTime() - end < 0);
    return since(before) / times;
  }

  /** Returns the total cost of this work. */
  double once(Work work) throws Exception {
    double before = redis.cpuMicros();
    work.once();
    return since(before);
  }

  /** Returns the time since then, without the cost of the measurement. */
  private double since(double before) {
    return Math.max(0, redis.cpuMicros() - before - own);
  }
}
