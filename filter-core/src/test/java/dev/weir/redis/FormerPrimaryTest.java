package dev.weir.redis;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.fixture.AcquireRequests;
import dev.weir.store.StoreUnavailableException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import redis.clients.jedis.Jedis;
import redis.clients.jedis.Pipeline;
import redis.clients.jedis.Protocol.Command;

/** A primary that hands over its last slot still replies where its keys are. */
class FormerPrimaryTest {

  private static final int SLOTS_OF_FIRST = 5_461;
  private static final int THREADS = 8;

  private final Recorder received = new Recorder();
  private final List<DripProxy> proxies = new ArrayList<>();

  @Test
  void calls_in_flight_to_it_are_redirected_and_no_outage() throws Exception {
    ExecutorService threads = Executors.newFixedThreadPool(THREADS);
    try (RedisServers cluster = RedisServers.cluster(RedisVersion.newest(), 3, this::proxied);
        RedisLimitStore store =
            RedisLimitStore.connect(
                RedisOptions.of(cluster.uri(), "clustered").withDeadline(Duration.ofSeconds(2)),
                received)) {
      Awaitility.await().until(() -> store.status().primaries().size() == 3);
      proxies.get(0).delay(50);
      handOver(cluster);
      List<CompletableFuture<List<String>>> failures = new ArrayList<>();
      for (int i = 0; i < THREADS; i++) {
        failures.add(CompletableFuture.supplyAsync(() -> failuresUntilLeft(store), threads));
      }
      for (CompletableFuture<List<String>> ofThread : failures) {
        assertThat(ofThread).succeedsWithin(Duration.ofSeconds(20)).isEqualTo(List.of());
      }
      assertThat(received.switches).isEmpty();
    } finally {
      threads.shutdownNow();
      for (DripProxy proxy : proxies) {
        proxy.close();
      }
    }
  }

  private int proxied(int port) {
    try {
      DripProxy proxy = new DripProxy(port);
      proxies.add(proxy);
      return proxy.port();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Moves all slots of the first server to the second. */
  private static void handOver(RedisServers cluster) {
    try (Jedis from = cluster.get(0).client();
        Jedis to = cluster.get(1).client();
        Jedis other = cluster.get(2).client()) {
      String target = to.clusterMyId();
      for (Jedis node : List.of(to, other, from)) {
        Pipeline all = node.pipelined();
        if (node == from) {
          all.sendCommand(Command.FLUSHALL, "SYNC"); // a server keeps a slot while it has keys
        }
        for (int slot = 0; slot <= SLOTS_OF_FIRST; slot++) {
          all.sendCommand(Command.CLUSTER, "SETSLOT", Integer.toString(slot), "NODE", target);
        }
        all.sync();
      }
    }
  }

  /** Returns why calls failed, until the store has left the former primary. */
  private static List<String> failuresUntilLeft(RedisLimitStore store) {
    List<String> failures = new ArrayList<>();
    while (store.status().primaries().size() == 3) {
      try {
        store.decide(
            AcquireRequests.request(
                AcquireRequests.charge(
                    "any", ClusterUnderTest.LIMIT, ClusterUnderTest.subjectOn(0), 1)));
      } catch (StoreUnavailableException e) {
        failures.add(e.kind() + ": " + e.getMessage());
      }
    }
    return failures;
  }
}
