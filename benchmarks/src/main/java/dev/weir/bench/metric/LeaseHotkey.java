package dev.weir.bench.metric;

import dev.weir.bench.Metric;
import dev.weir.bench.RedisUnderTest;
import dev.weir.bench.Results;
import dev.weir.bench.Rounds;
import dev.weir.bench.Row;
import dev.weir.bench.Workbench;
import dev.weir.bench.load.Load;
import dev.weir.bench.load.Load.Outcome;
import dev.weir.bench.load.PoolChoice;
import dev.weir.bench.load.Usage;
import dev.weir.bench.load.Warmth;
import dev.weir.bench.peer.Contender;
import dev.weir.bench.peer.NaiveLua;
import dev.weir.bench.peer.Numbers;
import dev.weir.bench.peer.Ours;
import dev.weir.bench.peer.Stores;
import dev.weir.store.Source;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ThreadLocalRandom;

/**
 * Decisions per second of one hot key under lease, all allowed, and the commands that each costs
 * Redis. Also by how much a saturated key is admitted beyond its promise.
 */
final class LeaseHotkey implements Metric {

  private static final int THREADS = 32;
  private static final Duration ROUND = Duration.ofMillis(1_500);

  /** More than any load here can use: the largest bucket allowed. */
  private static final Numbers HOT = new Numbers(10_000_000, Duration.ofSeconds(1), 10_000_000);

  /**
   * Less than the load requests, but enough for leases before it is exhausted and sometimes after.
   */
  private static final Numbers SATURATED = new Numbers(200_000, Duration.ofSeconds(1), 200_000);

  /** One key on two nodes. */
  private record Nodes(Ours one, Ours other) implements Contender {

    @Override
    public boolean admits(int key) {
      return (ThreadLocalRandom.current().nextBoolean() ? one : other).admits(key);
    }

    /** Returns the decisions out of leases: the usual source here is Redis alone. */
    long leased() {
      return one.strays() + other.strays();
    }

    /** Does nothing: the nodes are closed by themselves. */
    @Override
    public void close() {}
  }

  @Override
  public List<String> names() {
    return List.of("lease-hotkey-32t", "lease-hotkey-commands", "lease-hotkey-overadmitted");
  }

  @Override
  public Duration plan() {
    return Duration.ofSeconds(70);
  }

  @Override
  public List<Row> measure(Workbench bench) throws Exception {
    RedisUnderTest redis = bench.redis();
    Load load = new Load(THREADS, 1, ROUND);
    try (PoolChoice naive = PoolChoice.open(NaiveLua.class, redis.uri(), 1, HOT, THREADS);
        Ours ours = new Ours(Stores.leasing(redis.uri()), 1, HOT, Source.LEASE, Source.REDIS)) {
      List<Contender> cold = new ArrayList<>(naive.all());
      cold.add(ours);
      Warmth warmth = load.warmUp(cold);
      PoolChoice.Chosen best = naive.best(load::on);
      Contender peer = best.contender();
      bench.remark(
          "a hot key under lease, 32 threads; %s; pools: naive-lua %d"
              .formatted(warmth, best.pool()));
      Map<String, Rounds.Measured<Usage>> measured = new LinkedHashMap<>();
      measured.put(Lineup.OURS, () -> Usage.of(load, ours, redis).requireAdmitted(Lineup.OURS));
      measured.put(NaiveLua.NAME, () -> Usage.of(load, peer, redis).requireAdmitted(NaiveLua.NAME));
      ours.forgetStrays();
      Results<Usage> found = Rounds.interleaved(bench.rounds(Rounds.USUAL), measured);
      ours.requireNoStrays();
      return warmth.noted(
          List.of(
              found.row("lease-hotkey-32t", Lineup.OURS, NaiveLua.NAME, Usage::perSecond),
              found.row("lease-hotkey-commands", Lineup.OURS, NaiveLua.NAME, Usage::commands),
              overAdmitted(load, redis, bench.rounds(Rounds.USUAL))));
    }
  }

  /**
   * Measures against the promise from before the first to after the last decision, on two nodes:
   * the maximum over some rounds.
   */
  private static Row overAdmitted(Load load, RedisUnderTest redis, int rounds) throws Exception {
    double over = 0;
    double promised = 0;
    for (int round = 0; round < rounds; round++) {
      redis.clear();
      try (Ours one = node(redis);
          Ours other = node(redis)) {
        Nodes nodes = new Nodes(one, other);
        Outcome outcome = load.on(nodes);
        if (nodes.leased() == 0) {
          throw new IllegalStateException("no decision out of a lease (expected: some)");
        }
        promised = SATURATED.burst() + SATURATED.permits() * outcome.seconds();
        long admitted = outcome.decisions() - outcome.denials();
        over = Math.max(over, admitted - Math.floor(promised));
      }
    }
    return new Row("lease-hotkey-overadmitted", over, Math.floor(promised), "promise");
  }

  private static Ours node(RedisUnderTest redis) {
    return new Ours(Stores.leasing(redis.uri()), 1, SATURATED, Source.REDIS);
  }
}
