package dev.weir.bench.metric;

import dev.weir.bench.Row;
import dev.weir.bench.Workbench;
import dev.weir.bench.load.Load;
import dev.weir.bench.load.PoolChoice;
import dev.weir.bench.load.Warmth;
import dev.weir.bench.peer.Bucket4jRedis;
import dev.weir.bench.peer.Build;
import dev.weir.bench.peer.Contender;
import dev.weir.bench.peer.GoZeroScript;
import dev.weir.bench.peer.NaiveLua;
import dev.weir.bench.peer.Numbers;
import dev.weir.bench.peer.RedissonLimiter;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Weir and its peers on Redis, connected and warm, each peer with the pool that serves it best. */
final class Lineup implements AutoCloseable {

  static final String OURS = "weir";

  /** All peers that are measured on Redis. */
  static final List<Peer> PEERS =
      List.of(
          new Peer(NaiveLua.NAME, NaiveLua::new),
          new Peer(GoZeroScript.NAME, GoZeroScript::new),
          new Peer(Bucket4jRedis.NAME, Bucket4jRedis::new),
          new Peer(RedissonLimiter.NAME, RedissonLimiter::new));

  /** The reference peer. */
  static final List<Peer> NAIVE = PEERS.subList(0, 1);

  private final Map<String, Contender> all = new LinkedHashMap<>();
  private Warmth warmth = new Warmth(Duration.ZERO, false);

  /** A constructor of a contender. */
  @FunctionalInterface
  interface Maker {
    Contender make(String uri, int pool, int keys, Numbers numbers);
  }

  /** A contender that can be created. */
  record Peer(String name, Maker maker) {

    PoolChoice.Chosen best(String uri, Load trial) throws Exception {
      return PoolChoice.best(pool -> maker.make(uri, pool, trial.keys(), Numbers.ROOMY), trial);
    }
  }

  private Lineup(Contender ours) {
    all.put(OURS, ours);
  }

  /**
   * Connects to all of these, and to an earlier build if there is one.
   *
   * @param trial warms up, and finds the best pool
   */
  static Lineup of(List<Peer> peers, Load trial, Workbench bench) throws Exception {
    String uri = bench.redis().uri();
    Lineup lineup = new Lineup(Build.current().exact(uri, trial.keys(), Numbers.ROOMY));
    bench
        .before()
        .map(build -> build.exact(uri, trial.keys(), Numbers.ROOMY))
        .ifPresent(before -> lineup.all.put(Build.EARLIER, before));
    List<String> pools = new ArrayList<>();
    for (Peer peer : peers) {
      PoolChoice.Chosen chosen = peer.best(uri, trial);
      lineup.all.put(peer.name(), chosen.contender());
      pools.add(peer.name() + " " + chosen.pool());
    }
    lineup.warmth = trial.warmUp(lineup.all.values());
    bench.remark(
        "%d keys, %d threads; %s; pools: %s"
            .formatted(
                trial.keys(), trial.threads(), lineup.warmth, String.join(", ", pools)));
    return lineup;
  }

  Map<String, Contender> all() {
    return all;
  }

  /** Returns the names of all but ours. */
  List<String> peers() {
    return all.keySet().stream().filter(name -> !name.equals(OURS)).toList();
  }

  /** Returns these rows, which say so if they were measured cold. */
  List<Row> noted(List<Row> rows) {
    return warmth.noted(rows);
  }

  /** Fails when any of our decisions was not made in Redis. */
  void requireExact() {
    all.values().forEach(Contender::requireNoStrays);
  }

  @Override
  public void close() {
    all.values().forEach(Contender::close);
  }
}
