package dev.weir.redis;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.fixture.TestRun;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.random.RandomGenerator;

/**
 * The production Lua files on generated traces, one call for each, with given times. The newest
 * available Redis runs all traces, and each older one a part of them: the arithmetic is the same.
 */
final class LuaTraceSuite {

  private static final int FIXED = TestRun.pick(250, 10_000);
  private static final int FIXED_ON_ALL = TestRun.pick(250, 2_000);
  private static final int RANDOM = TestRun.pick(50, 500);

  /** Another seed in each build; that of a failure can be given. */
  private static final long SEED =
      Long.getLong("weir.traces.seed", RandomGenerator.getDefault().nextLong(1L << 40, 1L << 50));

  private LuaTraceSuite() {}

  /** Fails where a promise is broken, or an answer is not the exact model's. */
  @SuppressWarnings("SystemOut") // the build says what it tried
  static void run(Traces<?> traces) throws Exception {
    long start = System.nanoTime();
    List<RedisVersion> tested = RedisVersion.tested();
    List<RedisVersion> newest = List.of(RedisVersion.newest());
    long steps =
        new TraceRun(traces, tested).run(0, FIXED_ON_ALL)
            + new TraceRun(traces, newest).run(FIXED_ON_ALL, FIXED - FIXED_ON_ALL)
            + new TraceRun(traces, tested).run(SEED, RANDOM);
    assertThat(steps).isGreaterThanOrEqualTo((FIXED + RANDOM) * (long) Traces.STEPS);
    System.out.printf(
        "%s: %,d traces of %d operations from seeds 0 and %d, on %s in %d s%n",
        traces,
        FIXED + RANDOM,
        Traces.STEPS,
        SEED,
        tested,
        TimeUnit.NANOSECONDS.toSeconds(System.nanoTime() - start));
  }
}
