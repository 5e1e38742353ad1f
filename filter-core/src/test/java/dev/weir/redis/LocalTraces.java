package dev.weir.redis;

import dev.weir.limit.Limit;
import dev.weir.local.LocalLimitStore;
import dev.weir.local.LocalOptions;
import java.util.List;
import java.util.function.LongConsumer;

/** Generated traces through the local store, of one kind of limit: one for each seed. */
final class LocalTraces implements LongConsumer {

  private static final int OPERATIONS = 200;

  private final Traces<?> traces;
  private final List<List<Limit>> lines;

  LocalTraces(Traces<?> traces) {
    this.traces = traces;
    lines = LocalLimits.of(traces);
  }

  /**
   * Returns the traces of a name: a test that loads classes again shares nothing else with them.
   */
  static LongConsumer named(String name) {
    return AllTraces.all()
        .filter(traces -> traces.name().equals(name))
        .map(LocalTraces::new)
        .findAny()
        .orElseThrow();
  }

  /**
   * @throws AssertionError at the first answer that is not the model's
   */
  @Override
  public void accept(long seed) {
    follow(traces, seed);
  }

  private <M extends LimitModel<M>> void follow(Traces<M> kind, long seed) {
    List<Limit> limits = lines.get((int) (seed % lines.size()));
    TraceTime time = TraceTime.from(limits);
    try (LocalLimitStore store =
        LocalLimitStore.of(LocalOptions.of().withTime(time, time::instant))) {
      String name = "local-" + seed;
      new StoreTrace<>(store, time, kind, limits, true, name, seed).follow(OPERATIONS);
    }
  }
}
