package dev.weir.bench;

import java.io.IOException;
import java.net.URI;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import redis.clients.jedis.Jedis;

/** A Redis Cluster on this machine, of primaries without replicas. */
public final class RedisCluster implements AutoCloseable {

  private static final int SLOTS = 16_384;
  private static final long PATIENCE_NANOS = 60_000_000_000L;

  private final List<RedisProcess> processes = new ArrayList<>();
  private final List<Jedis> clients = new ArrayList<>();

  private RedisCluster() {}

  /** Starts a cluster of this many primaries, ready to use. */
  public static RedisCluster start(int primaries) throws IOException {
    RedisCluster cluster = new RedisCluster();
    try {
      for (int i = 0; i < primaries; i++) {
        cluster.add();
      }
      cluster.join();
      return cluster;
    } catch (IOException | RuntimeException e) {
      cluster.close();
      throw e;
    }
  }

  private void add() throws IOException {
    RedisProcess process = RedisProcess.startForCluster();
    processes.add(process);
    clients.add(RedisUnderTest.connected(process.uri()));
  }

  private void join() {
    int port = URI.create(processes.get(0).uri()).getPort();
    for (int i = 0; i < clients.size(); i++) {
      int from = i * SLOTS / clients.size();
      int to = (i + 1) * SLOTS / clients.size();
      clients.get(i).clusterAddSlots(IntStream.range(from, to).toArray());
      clients.get(i).clusterMeet("127.0.0.1", port);
    }
    long due = System.nanoTime() + PATIENCE_NANOS;
    while (!clients.stream().allMatch(this::isReady)) {
      if (System.nanoTime() - due > 0) {
        throw new IllegalStateException("the cluster has not come together");
      }
      Thread.onSpinWait();
    }
  }

  private boolean isReady(Jedis client) {
    String info = client.clusterInfo();
    return info.contains("cluster_state:ok")
        && info.contains("cluster_slots_assigned:" + SLOTS)
        && info.contains("cluster_known_nodes:" + clients.size());
  }

  public String uri() {
    return processes.get(0).uri().replace("redis://", "redis-cluster://");
  }

  /** Returns what all primaries have spent since they began. */
  public Spent spent() {
    return clients.stream().map(Spent::by).reduce(new Spent(0, 0), Spent::plus);
  }

  @Override
  public void close() {
    clients.forEach(Jedis::close);
    processes.forEach(RedisProcess::close);
  }
}
