package dev.weir.redis;

import static dev.weir.redis.SizingLoad.DECISIONS;
import static dev.weir.redis.SizingLoad.KEYS;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import redis.clients.jedis.Jedis;

/**
 * A measurement of what a decision costs the primaries of a cluster. It checks the sizing model in
 * docs/internals/sizing.md against three and six of them. It is not part of the gate and runs by
 * its name.
 *
 * <p>The model: a call has a fixed cost, and each decision in it adds a fixed cost. Both are
 * measured on a cluster of one primary, from batches of two sizes. With more primaries batches are
 * smaller, since each has its part of the load.
 */
@SuppressWarnings("SystemOut") // the purpose of this class
class ClusterSizing {

  private static final int MANY = 32;
  private static final int FEW = 6;
  private static final int ROUNDS = 5;

  /** The cost of a call, and of each decision in it. */
  private record Model(double call, double decision) {

    static Model of(SizingLoad large, SizingLoad small) {
      double call = (small.cpuMicros() - large.cpuMicros()) / (small.calls() - large.calls());
      return new Model(call, large.cpuMicros() - call * large.calls());
    }

    double predicted(SizingLoad load) {
      return call * load.calls() + decision;
    }
  }

  @Test
  void whether_three_and_six_primaries_cost_what_the_model_says() throws Exception {
    RedisVersion version = RedisVersion.newest();
    try (RedisServers one = RedisServers.cluster(version, 1);
        RedisServers three = RedisServers.cluster(version, 3);
        RedisServers six = RedisServers.cluster(version, 6)) {
      List<SizingLoad> large = new ArrayList<>();
      List<SizingLoad> small = new ArrayList<>();
      List<SizingLoad> ofThree = new ArrayList<>();
      List<SizingLoad> ofSix = new ArrayList<>();
      for (int round = 0; round <= ROUNDS; round++) {
        large.add(load(one, MANY));
        small.add(load(one, FEW));
        ofThree.add(load(three, MANY));
        ofSix.add(load(six, MANY));
        if (round == 0) { // to warm up
          List.of(large, small, ofThree, ofSix).forEach(List::clear);
        }
      }
      Model model = Model.of(SizingLoad.median(large), SizingLoad.median(small));
      System.out.printf("a call: %.2f µs, a decision: %.2f µs%n", model.call(), model.decision());
      print("one primary, 32 threads", SizingLoad.median(large), model);
      print("one primary, 6 threads", SizingLoad.median(small), model);
      print("three primaries, 32 threads", SizingLoad.median(ofThree), model);
      print("six primaries, 32 threads", SizingLoad.median(ofSix), model);
      System.out.println("keys on each of six: " + Arrays.toString(spread(six)));
    }
  }

  /**
   * Compares: where scripts across slots are refused, each decision of a batch is a separate call.
   */
  @ParameterizedTest
  @MethodSource("dev.weir.redis.RedisVersion#all")
  void what_one_call_across_slots_saves(RedisVersion version) throws Exception {
    try (RedisServer alone = RedisServer.start(version);
        RedisServers one = RedisServers.cluster(version, 1)) {
      RedisOptions options = RedisOptions.of(alone.uri(), "sizing");
      List<SizingLoad> standalone = new ArrayList<>();
      List<SizingLoad> across = new ArrayList<>();
      List<SizingLoad> refused = new ArrayList<>();
      for (int round = 0; round <= ROUNDS; round++) {
        standalone.add(SizingLoad.store(List.of(alone), options, MANY, KEYS));
        SizingLoad inCluster = load(one, MANY);
        across.add(inCluster);
        int together = (int) Math.round(inCluster.together());
        refused.add(SizingLoad.pipeline(one.get(0), together, DECISIONS));
        if (round == 0) { // to warm up
          List.of(standalone, across, refused).forEach(List::clear);
        }
      }
      SizingLoad.median(standalone).print(version + ": standalone, batching");
      SizingLoad.median(across).print(version + ": one call across slots");
      SizingLoad.median(refused).print(version + ": a call for each slot");
    }
  }

  private static SizingLoad load(RedisServers cluster, int threads) throws Exception {
    RedisOptions options = RedisOptions.of(cluster.uri(), "sizing");
    return SizingLoad.store(cluster.all(), options, threads, KEYS);
  }

  private static void print(String what, SizingLoad load, Model model) {
    load.print(what);
    System.out.printf(
        "  %.1f decisions a call; predicted %.2f µs, measured %.2f µs%n",
        load.together(), model.predicted(load), load.cpuMicros());
  }

  private static long[] spread(RedisServers cluster) {
    return cluster.all().stream()
        .mapToLong(
            node -> {
              try (Jedis redis = node.client()) {
                return redis.dbSize();
              }
            })
        .toArray();
  }
}
