package dev.weir.redis;

import dev.weir.fixture.FreePorts;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.IntUnaryOperator;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.awaitility.Awaitility;
import redis.clients.jedis.Jedis;

/** Several servers that belong together, for tests. */
public final class RedisServers implements AutoCloseable {

  private static final int SLOTS = 16_384;

  private final List<RedisServer> servers;
  private final String uri;

  RedisServers(List<RedisServer> servers, String uri) {
    this.servers = List.copyOf(servers);
    this.uri = uri;
  }

  /** Starts a single server. */
  static RedisServers alone(RedisVersion version) {
    RedisServer server = RedisServer.start(version);
    return new RedisServers(List.of(server), server.uri());
  }

  /** Starts a cluster of so many primaries without replicas, ready to use. */
  public static RedisServers cluster(RedisVersion version, int primaries) {
    return cluster(version, primaries, IntUnaryOperator.identity());
  }

  /**
   * Starts the same, where each announces another port than its own to clients.
   *
   * @param announced is given a server's own port before it starts
   */
  static RedisServers cluster(RedisVersion version, int primaries, IntUnaryOperator announced) {
    List<RedisServer> nodes = new ArrayList<>();
    int entry = 0;
    for (int i = 0; i < primaries; i++) {
      int port = FreePorts.next();
      entry = announced.applyAsInt(port);
      nodes.add(
          RedisServer.startOn(
              version,
              port,
              "--cluster-enabled",
              "yes",
              "--cluster-announce-port",
              Integer.toString(entry),
              "--cluster-node-timeout",
              "2000",
              "--cluster-require-full-coverage",
              "no"));
    }
    join(nodes, nodes.get(0).port());
    return new RedisServers(nodes, "redis-cluster://127.0.0.1:" + entry);
  }

  /** Starts a primary named {@code main} and so many sentinels that know it, in this order. */
  public static RedisServers sentinels(RedisVersion version, int sentinels) {
    List<RedisServer> servers = new ArrayList<>();
    servers.add(RedisServer.start(version));
    for (int i = 0; i < sentinels; i++) {
      int port = FreePorts.next();
      Path file = sentinelFile(port, servers.get(0).port());
      servers.add(RedisServer.startOn(version, port, file.toString(), "--sentinel"));
    }
    String hosts =
        servers.stream()
            .skip(1)
            .map(sentinel -> "127.0.0.1:" + sentinel.port())
            .collect(Collectors.joining(","));
    return new RedisServers(servers, "redis-sentinel://" + hosts + "/main");
  }

  /** Returns the URI for a store. */
  public String uri() {
    return uri;
  }

  public RedisServer get(int index) {
    return servers.get(index);
  }

  public List<RedisServer> all() {
    return servers;
  }

  @Override
  public void close() {
    servers.forEach(RedisServer::close);
  }

  /**
   * Makes these a cluster in which each has an equal part of the slots, and waits for it.
   *
   * @param port the one at which the others meet the first
   */
  static void join(List<RedisServer> nodes, int port) {
    int primaries = nodes.size();
    for (int i = 0; i < primaries; i++) {
      try (Jedis client = nodes.get(i).client()) {
        client.clusterAddSlots(
            IntStream.range(i * SLOTS / primaries, (i + 1) * SLOTS / primaries).toArray());
        client.clusterMeet("127.0.0.1", port);
      }
    }
    for (RedisServer node : nodes) {
      Awaitility.await().atMost(Duration.ofSeconds(30)).until(() -> knowsAll(node, primaries));
    }
  }

  private static boolean knowsAll(RedisServer node, int primaries) {
    try (Jedis client = node.client()) {
      String info = client.clusterInfo();
      return info.contains("cluster_state:ok")
          && info.contains("cluster_slots_assigned:" + SLOTS)
          && info.contains("cluster_known_nodes:" + primaries);
    }
  }

  static Path sentinelFile(int port, int primary) {
    try {
      Path file = Files.createTempFile("weir-sentinel", ".conf");
      file.toFile().deleteOnExit();
      Files.writeString(
          file, "port " + port + "\nsentinel monitor main 127.0.0.1 " + primary + " 1\n");
      return file;
    } catch (IOException e) {
      throw new IllegalStateException("cannot write the sentinel's file", e);
    }
  }
}
