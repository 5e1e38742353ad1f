package dev.weir.redis;

import dev.weir.fixture.SideBySide;
import dev.weir.fixture.TestRun;
import dev.weir.limit.Limit;
import dev.weir.store.LimitStore;
import dev.weir.store.LimiterListener;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Whole stores answer as the exact models do, on generated traces: the local one, and the one over
 * every available Redis, with given times.
 */
@SideBySide
class StoreTracesTest {

  private static final int LOCAL = TestRun.pick(200, 10_000);
  private static final int OVER_REDIS = TestRun.pick(10, 200);
  private static final int OPERATIONS = 200;

  static Stream<Traces<?>> all() {
    return AllTraces.all();
  }

  static Stream<Arguments> everywhere() {
    return RedisVersion.tested().stream()
        .flatMap(version -> AllTraces.all().map(traces -> Arguments.of(version, traces)));
  }

  @ParameterizedTest(name = "{0}, {1}")
  @MethodSource("everywhere")
  void redis_answers_as_the_model_does(RedisVersion version, Traces<?> traces) {
    String run = "run-" + UUID.randomUUID();
    TraceTime time = new TraceTime();
    RedisOptions options =
        RedisOptions.of(RedisServer.shared(version).uri(), "traced")
            .withClock(RedisOptions.Clock.NODE)
            .withDeadline(Duration.ofSeconds(20));
    try (RedisLimitStore store =
        RedisLimitStore.connect(options, LimiterListener.NONE, time::instant)) {
      store.awaitAnswer(Duration.ofSeconds(20));
      for (int seed = 0; seed < OVER_REDIS; seed++) {
        time.startAgain();
        List<Limit> limits = traces.lines().get(seed % traces.lines().size());
        trace(store, time, traces, limits, run + "-" + seed, seed);
      }
    }
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("all")
  void the_local_store_answers_as_the_model_does(Traces<?> traces) {
    LocalTraces local = new LocalTraces(traces);
    for (int seed = 0; seed < LOCAL; seed++) {
      local.accept(seed);
    }
  }

  private static <M extends LimitModel<M>> void trace(
      LimitStore store,
      TraceTime time,
      Traces<M> traces,
      List<Limit> limits,
      String name,
      long seed) {
    new StoreTrace<>(store, time, traces, limits, false, name, seed).follow(OPERATIONS);
  }
}
