package dev.weir.bench.cost;

import dev.weir.bench.Metric;
import dev.weir.bench.Results;
import dev.weir.bench.Rounds;
import dev.weir.bench.Row;
import dev.weir.bench.Workbench;
import dev.weir.bench.peer.NaiveLua;
import dev.weir.limit.Limit;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;

/**
 * The cost to Redis of a concurrency limit of so many permits while nearly all are held, each by a
 * holder of its own. It measures the grant of the last permit, a denial when none is left, and the
 * renewal and release of the oldest permit. It also measures 64 denials of one key in one call.
 *
 * <p>The calls are those of the store: they are recorded while it acquires, renews and releases,
 * and sent again. A grant cannot be repeated on one key. So each verb runs on many copies of the
 * key in turn.
 */
record ConcurrencyCost(int permits) implements Metric {

  private static final List<String> VERBS =
      List.of(Costs.GRANT, Costs.DENIAL, Costs.RELEASE, Costs.RENEWAL);

  private static final int COPIES = 100;
  private static final Duration ROUND = Duration.ofSeconds(1);
  private static final String FULL = "full";

  @Override
  public List<String> names() {
    List<String> names = new ArrayList<>();
    VERBS.forEach(verb -> names.add(name(verb)));
    names.add(name(Costs.BATCH));
    return names;
  }

  private String name(String verb) {
    return "cost-concurrency-" + permits + "-" + verb;
  }

  @Override
  public Duration plan() {
    return Duration.ofSeconds(20);
  }

  @Override
  public List<Row> measure(Workbench bench) throws Exception {
    String uri = bench.redis().uri();
    Meter meter = new Meter(bench.redis());
    Limit limit = Limit.parse(permits + " concurrent, ttl 1h");
    try (Store store = new Store(uri);
        Replay replay = new Replay(uri)) {
      NaiveCost naive = NaiveCost.record(uri, meter, replay);
      Batch batch = fullBatch(store, replay, limit);
      bench.remark("%s; decisions in a call: %d".formatted(name(Costs.BATCH), batch.decisions()));
      HolderCalls calls = HolderCalls.record(replay, store, limit, permits);
      Holders holders = Holders.filled(calls, replay, COPIES);
      Map<String, Rounds.Measured<Costs>> measured = new LinkedHashMap<>();
      measured.put(Costs.OURS, () -> once(meter, holders, replay, batch));
      measured.put(NaiveLua.NAME, naive::once);
      Rounds.interleaved(1, measured); // to warm up
      Results<Costs> found = Rounds.interleaved(bench.rounds(Rounds.USUAL), measured);
      requireOneLeft(store, limit);
      return Costs.rows(found, names(), Costs.DENIAL);
    }
  }

  private Batch fullBatch(Store store, Replay replay, Limit limit) throws Exception {
    for (int i = 0; i < permits; i++) {
      store.grant(limit, FULL);
    }
    return Batch.record(replay, store, limit, caller -> FULL);
  }

  private static Costs once(Meter meter, Holders holders, Replay replay, Batch batch)
      throws Exception {
    Map<String, Double> sums = new HashMap<>();
    long end = System.nanoTime() + ROUND.toNanos();
    int times = 0;
    do {
      add(Costs.GRANT, meter, holders.grant(), replay, sums);
      add(Costs.DENIAL, meter, holders.denial(), replay, sums);
      add(Costs.RENEWAL, meter, holders.renewal(), replay, sums);
      add(Costs.RELEASE, meter, holders.release(), replay, sums);
      times += COPIES;
    } while (System.nanoTime() - end < 0);
    int all = times;
    sums.replaceAll((verb, micros) -> micros / all);
    sums.put(Costs.BATCH, meter.batch(replay, batch));
    return new Costs(sums);
  }

  private static void add(
      String verb, Meter meter, Call call, Replay replay, Map<String, Double> sums)
      throws Exception {
    List<Call> calls =
        IntStream.range(0, COPIES).mapToObj(copy -> Holders.ofCopy(copy, call)).toList();
    sums.merge(verb, meter.once(() -> replay.send(calls)), Double::sum);
  }

  /** Checks that the calls did what their names say: one of the store's own permits is left. */
  private static void requireOneLeft(Store store, Limit limit) throws Exception {
    store.grant(limit, HolderCalls.SUBJECT);
    if (store.decide(limit, HolderCalls.SUBJECT).allowed()) {
      throw new IllegalStateException(limit + ": two are left (expected: one)");
    }
    if (store.decide(limit, FULL).allowed()) {
      throw new IllegalStateException(limit + ": granted (expected: denied)");
    }
  }
}
