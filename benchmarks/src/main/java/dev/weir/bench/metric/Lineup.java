package dev.weir.bench.metric;

import dev.weir.bench.Opened;
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
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Weir and its peers on Redis, connected and warm, each peer with the pool that serves it best.
 * Each has a class loader of its own.
 */
final class Lineup implements AutoCloseable {

  static final String OURS = "weir";

  /** A contender that can be created. */
  record Peer(String name, Class<? extends Contender> type) {}

  /** All peers that are measured on Redis. */
  static final List<Peer> PEERS =
      List.of(
          new Peer(NaiveLua.NAME, NaiveLua.class),
          new Peer(GoZeroScript.NAME, GoZeroScript.class),
          new Peer(Bucket4jRedis.NAME, Bucket4jRedis.class),
          new Peer(RedissonLimiter.NAME, RedissonLimiter.class));

  /** The reference peer. */
  static final List<Peer> NAIVE = PEERS.subList(0, 1);

  private final Opened opened;
  private final Map<String, Contender> all;
  private final Warmth warmth;

  private Lineup(Opened opened, Map<String, Contender> all, Warmth warmth) {
    this.opened = opened;
    this.all = all;
    this.warmth = warmth;
  }

  /**
   * Connects to all of these, and to an earlier build if there is one.
   *
   * @param trial warms up, and finds the best pool
   */
  static Lineup of(List<Peer> peers, Load trial, Workbench bench) throws Exception {
    Opened opened = new Opened();
    try {
      return of(peers, trial, bench, opened);
    } catch (Exception e) {
      opened.closeAfter(e);
      throw e;
    }
  }

  private static Lineup of(List<Peer> peers, Load trial, Workbench bench, Opened opened)
      throws Exception {
    String uri = bench.redis().uri();
    Map<String, Contender> all = new LinkedHashMap<>();
    all.put(OURS, weir(opened.add(Build.current()), uri, trial, opened));
    if (bench.before().isPresent()) {
      Build before = opened.add(Build.earlier(bench.before().get()));
      all.put(Build.EARLIER, weir(before, uri, trial, opened));
    }
    Map<String, PoolChoice> pooled = new LinkedHashMap<>();
    List<Contender> cold = new ArrayList<>(all.values());
    for (Peer peer : peers) {
      PoolChoice choice =
          opened.add(
              PoolChoice.open(peer.type(), uri, trial.keys(), Numbers.ROOMY, trial.threads()));
      pooled.put(peer.name(), choice);
      cold.addAll(choice.all());
    }
    Warmth warmth = trial.warmUp(cold);
    all.values().forEach(Contender::forgetStrays);
    List<String> pools = new ArrayList<>();
    for (Map.Entry<String, PoolChoice> peer : pooled.entrySet()) {
      PoolChoice.Chosen chosen = peer.getValue().best(trial::on);
      all.put(peer.getKey(), chosen.contender());
      pools.add(peer.getKey() + " " + chosen.pool());
    }
    bench.remark(
        "%d keys, %d threads; %s; pools: %s"
            .formatted(trial.keys(), trial.threads(), warmth, String.join(", ", pools)));
    return new Lineup(opened, all, warmth);
  }

  private static Contender weir(Build build, String uri, Load trial, Opened opened) {
    return opened.add(build.exact(uri, trial.keys(), Numbers.ROOMY));
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
    opened.close();
  }
}
