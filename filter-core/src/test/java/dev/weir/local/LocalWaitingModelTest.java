package dev.weir.local;

import dev.weir.limit.Limit;
import dev.weir.limit.Limit.Rate;
import dev.weir.limit.TokenBucket;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * The local token bucket and the requests that wait for it, against an exact model of their own.
 */
class LocalWaitingModelTest implements WaitingTrace.Kind {

  private static final int TRACES = 300;

  @ParameterizedTest
  @ValueSource(longs = {1, 20_261_122, 0x5eed_f00d})
  void every_answer_is_the_models(long seed) {
    ModelTraces.each(
        TRACES, seed, (random, trace) -> new WaitingTrace(random, trace, this).follow());
  }

  @Override
  public Limit limit(Rate rate, long capacity) {
    return new TokenBucket(rate, capacity);
  }

  @Override
  public WaitingModel model(Limit limit, int nodes) {
    return new WaitingModel(limit, nodes);
  }
}
