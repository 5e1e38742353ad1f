package dev.weir.near;

import dev.weir.redis.VirtualRedis;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;

/** So many nodes, 10,000 keys, and a second or so of what is asked of them. */
final class Simulation {

  private static final int CRASHES = 10;
  private static final long RESTART_MICROS = 30_000;

  /** Before that, it is not known which counters are hot. */
  private static final long WARM_MICROS = 50_000;

  /** Some are asked for on many nodes, some far beyond their rate, some on one node only. */
  private static final List<Crowd> CROWDS =
      List.of(
          new Crowd("busy", 2, "400000 per second, burst 400000", 200, 1_500, false),
          new Crowd("scarce", 1, "40000 per second, burst 4000", 100, 1_000, false),
          new Crowd("exhausted", 10, "100 per second, burst 100", 20, 500, false),
          new Crowd("few-nodes", 20, "3000 per second, burst 100", 4, 1_000, false),
          new Crowd("swing", 5, "20000 per second, burst 400", 10, 4_000, true),
          new Crowd("own", 25, "3000 per second, burst 3000", 1, 1_500, false),
          new Crowd("own-scarce", 25, "1000 per second, burst 50", 1, 1_500, false),
          new Crowd("in-bursts", 12, "1000 per second, burst 100", 1, 4_000, true));

  private static final int TAIL_KEYS = 9_900;
  private static final double TAIL_PER_SECOND = 30_000;

  private final World world;
  private final SplittableRandom random;
  private final List<VirtualNode> nodes = new ArrayList<>();
  private final long endMicros;

  Simulation(
      VirtualRedis redis, long seed, int size, long endMicros, boolean near, boolean sharesTrips) {
    this.world = new World(redis, near, sharesTrips);
    this.random = new SplittableRandom(seed);
    this.endMicros = endMicros;
    for (int i = 0; i < size; i++) {
      nodes.add(new VirtualNode(world, random.split()));
    }
  }

  World run() {
    Workload demand = new Workload(world, nodes, random, endMicros);
    CROWDS.forEach(demand::add);
    demand.addZipf("tail", TAIL_KEYS, "20 per second, burst 5", TAIL_PER_SECOND);
    for (int i = 0; i < CRASHES; i++) {
      crash(random.nextInt(nodes.size()), random.nextLong(endMicros / 4, endMicros));
    }
    if (world.near()) {
      world.time().at(WARM_MICROS, world.totals()::begin);
    }
    world.time().run();
    return world;
  }

  private void crash(int node, long atMicros) {
    world.time().at(atMicros, () -> nodes.get(node).die());
    world
        .time()
        .at(
            atMicros + RESTART_MICROS,
            () -> nodes.set(node, new VirtualNode(world, random.split())));
  }
}
