package dev.weir.bench.cost;

import dev.weir.bench.Metric;
import dev.weir.bench.Results;
import dev.weir.bench.Rounds;
import dev.weir.bench.Row;
import dev.weir.bench.Workbench;
import dev.weir.bench.peer.NaiveLua;
import dev.weir.limit.Limit;
import dev.weir.limit.SlidingWindow;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.locks.LockSupport;

/**
 * The cost to Redis of a limit of permits per time: a grant, a denial, and 64 grants of as many
 * keys in one call.
 *
 * <p>The calls are those of the store: they are recorded while it decides, and sent again. A
 * sliding window has counted permits in all of its sub-windows, as that of a busy client does.
 *
 * @param roomy a limit that always has permits
 * @param full a limit that is full, but for the one permit that returns in each sub-window of a
 *     sliding window
 */
record PerTimeCost(String kind, String roomy, String full) implements Metric {

  private static final String GRANTED = "granted";
  private static final String DENIED = "denied";

  /** So many are enough to recognize the call. */
  private static final int TIMES = 3;

  /** Now and then a permit returns to a sliding window. */
  private static final int CHECKS = 10;

  @Override
  public List<String> names() {
    String name = "cost-" + kind + "-";
    return List.of(name + Costs.GRANT, name + Costs.DENIAL, name + Costs.BATCH);
  }

  @Override
  public Duration plan() {
    return Duration.ofSeconds(Limit.parse(roomy) instanceof SlidingWindow ? 55 : 10);
  }

  @Override
  public List<Row> measure(Workbench bench) throws Exception {
    String uri = bench.redis().uri();
    Meter meter = new Meter(bench.redis());
    try (Store store = new Store(uri);
        Replay replay = new Replay(uri)) {
      NaiveCost naive = NaiveCost.record(uri, meter, replay, Limit.parse(roomy), Limit.parse(full));
      Calls calls = Calls.record(replay, store, Limit.parse(roomy), Limit.parse(full));
      bench.remark(
          "%s; decisions in a call: %d".formatted(names().get(2), calls.batch().decisions()));
      Map<String, Rounds.Measured<Costs>> measured = new LinkedHashMap<>();
      measured.put(Costs.OURS, () -> calls.once(meter));
      measured.put(NaiveLua.NAME, naive::once);
      Rounds.interleaved(1, measured); // to warm up
      Results<Costs> found = Rounds.interleaved(bench.rounds(Rounds.USUAL), measured);
      calls.requireVerdicts(store);
      return Costs.rows(found, names(), Costs.GRANT);
    }
  }

  /** The store's calls for these limits. */
  private record Calls(
      Replay replay, Limit limit, Limit full, Call grant, Call denial, Batch batch) {

    static Calls record(Replay replay, Store store, Limit limit, Limit full) throws Exception {
      store.grant(limit, GRANTED); // so that its script is known
      store.grant(full, DENIED);
      Batch batch = Batch.record(replay, store, limit, caller -> "batch-" + caller);
      return new Calls(
          replay,
          limit,
          full,
          recorded(replay, store, limit, GRANTED),
          recorded(replay, store, full, DENIED),
          batch);
    }

    private static Call recorded(Replay replay, Store store, Limit limit, String subject)
        throws Exception {
      return Call.ofMost(
              replay.recorded(
                  () -> {
                    for (int i = 0; i < TIMES; i++) {
                      store.decide(limit, subject);
                    }
                  }))
          .get(0);
    }

    Costs once(Meter meter) throws Exception {
      use(grant);
      double granting = meter.decision(replay, grant);
      use(denial);
      double denying = meter.decision(replay, denial);
      use(batch.call());
      return new Costs(
          Map.of(
              Costs.GRANT, granting,
              Costs.DENIAL, denying,
              Costs.BATCH, meter.batch(replay, batch)));
    }

    /** Sends it once in each of a window's sub-windows. */
    private void use(Call call) {
      if (limit instanceof SlidingWindow window) {
        long width = window.subWindow().toNanos();
        long due = System.nanoTime();
        for (int i = 0; i <= window.subWindows(); i++) {
          replay.send(1, call);
          due += width;
          LockSupport.parkNanos(due - System.nanoTime());
        }
      }
    }

    /**
     * Checks that the calls did what their names say.
     *
     * @throws IllegalStateException when they did not
     */
    void requireVerdicts(Store store) throws Exception {
      store.grant(limit, GRANTED);
      replay.send(2 * (int) full.capacity(), denial); // uses permits that have returned
      int granted = 0;
      for (int i = 0; i < CHECKS; i++) {
        granted += store.decide(full, DENIED).allowed() ? 1 : 0;
      }
      if (granted > CHECKS / 2) {
        throw new IllegalStateException(full + ": granted (expected: denied)");
      }
    }
  }
}
