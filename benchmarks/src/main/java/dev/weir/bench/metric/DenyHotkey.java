package dev.weir.bench.metric;

import dev.weir.bench.Metric;
import dev.weir.bench.RedisUnderTest;
import dev.weir.bench.Results;
import dev.weir.bench.Rounds;
import dev.weir.bench.Row;
import dev.weir.bench.Workbench;
import dev.weir.bench.load.Load;
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

/** Denials per second of one exhausted key, while the denial is remembered in process. */
final class DenyHotkey implements Metric {

  private static final int THREADS = 32;
  private static final Duration ROUND = Duration.ofSeconds(1);
  private static final Duration CAP = Duration.ofSeconds(60);

  @Override
  public List<String> names() {
    return List.of("deny-hotkey-32t", "deny-hotkey-commands");
  }

  @Override
  public Duration plan() {
    return Duration.ofSeconds(50);
  }

  @Override
  public List<Row> measure(Workbench bench) throws Exception {
    RedisUnderTest redis = bench.redis();
    Load load = new Load(THREADS, 1, ROUND);
    try (PoolChoice naive =
            PoolChoice.open(NaiveLua.class, redis.uri(), 1, Numbers.SCARCE, THREADS);
        Ours ours =
            new Ours(Stores.denying(redis.uri(), CAP), 1, Numbers.SCARCE, Source.DENY_CACHE)) {
      exhaust(naive.all().iterator().next()); // all pools share the key
      exhaust(ours);
      List<Contender> cold = new ArrayList<>(naive.all());
      cold.add(ours);
      Warmth warmth = load.warmUp(cold);
      PoolChoice.Chosen best = naive.best(load::on);
      Contender peer = best.contender();
      bench.remark(
          "an exhausted key, 32 threads; %s; pools: naive-lua %d".formatted(warmth, best.pool()));
      ours.forgetStrays();
      Map<String, Rounds.Measured<Denied>> measured = new LinkedHashMap<>();
      measured.put(Lineup.OURS, () -> Denied.of(load, ours, redis));
      measured.put(NaiveLua.NAME, () -> Denied.of(load, peer, redis));
      Results<Denied> found = Rounds.interleaved(bench.rounds(Rounds.USUAL), measured);
      ours.requireNoStrays();
      return warmth.noted(
          List.of(
              found.row(
                  "deny-hotkey-32t",
                  Lineup.OURS,
                  NaiveLua.NAME,
                  round -> round.usage().perSecond()),
              found.row("deny-hotkey-commands", Lineup.OURS, NaiveLua.NAME, Denied::commands)));
    }
  }

  /**
   * The result of a round.
   *
   * @param commands those of decisions, without heartbeats, which come every few seconds
   */
  private record Denied(Usage usage, double commands) {

    static Denied of(Load load, Contender contender, RedisUnderTest redis) throws Exception {
      double before = decisionCommands(redis);
      Usage usage = Usage.of(load, contender, redis);
      if (usage.outcome().denials() < usage.outcome().decisions()) {
        throw new IllegalStateException("an exhausted key: admitted (expected: denied)");
      }
      double calls = decisionCommands(redis) - before;
      return new Denied(usage, calls / usage.outcome().decisions());
    }

    /** Counts GET and MGET: each decision calls one of them, and a heartbeat calls neither. */
    private static double decisionCommands(RedisUnderTest redis) {
      return redis.calls("get:") + redis.calls("mget:");
    }
  }

  private static void exhaust(Contender contender) {
    if (!contender.admits(0) || contender.admits(0)) {
      throw new IllegalStateException(
          "one permit an hour: (expected: the first is admitted alone)");
    }
  }
}
