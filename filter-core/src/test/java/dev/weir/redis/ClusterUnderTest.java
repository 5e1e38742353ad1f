package dev.weir.redis;

import dev.weir.fixture.AcquireRequests;
import dev.weir.limit.Limit;
import dev.weir.redis.internal.script.RedisKeys;
import dev.weir.store.AcquireRequest.Charge;
import dev.weir.store.Counter;
import dev.weir.store.StoreUnavailableException;
import dev.weir.store.Subject;
import java.time.Duration;
import java.util.Optional;
import java.util.UUID;
import java.util.stream.Collectors;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.MethodSource;
import redis.clients.jedis.Jedis;

/** A cluster of three primaries, new for each test, and a store connected to it. */
@ParameterizedClass(name = "{0}")
@MethodSource("dev.weir.redis.RedisVersion#tested")
abstract class ClusterUnderTest {

  static final RedisKeys KEYS = new RedisKeys("clustered", Optional.empty());
  static final String LIMIT = "10 per 30 days";

  @Parameter RedisVersion version = RedisVersion.embedded();

  final Recorder received = new Recorder();

  @SuppressWarnings("NullAway.Init") // started before each test
  RedisServers cluster;

  @SuppressWarnings("NullAway.Init") // connected before each test
  RedisLimitStore store;

  @BeforeEach
  void start() {
    cluster = RedisServers.cluster(version, 3);
    RedisOptions options =
        RedisOptions.of(cluster.uri(), "clustered").withDeadline(Duration.ofSeconds(2));
    store = RedisLimitStore.connect(options, received);
    Awaitility.await().until(() -> Load.decides(store));
  }

  @AfterEach
  void stop() {
    store.close();
    cluster.close();
  }

  /**
   * Connects a store that does not report an outage of a frozen server while a test gathers calls.
   */
  final void connectPatiently() {
    store.close();
    RedisOptions options =
        RedisOptions.of(cluster.uri(), "clustered").withDeadline(Duration.ofSeconds(40));
    store = RedisLimitStore.connect(options, received);
    Awaitility.await().until(() -> Load.decides(store));
  }

  /** Returns another store, which is configured with all nodes. */
  final RedisLimitStore knowingAll(Duration deadline) {
    String hosts =
        cluster.all().stream()
            .map(server -> "127.0.0.1:" + server.port())
            .collect(Collectors.joining(","));
    RedisOptions options =
        RedisOptions.of("redis-cluster://" + hosts, "clustered").withDeadline(deadline);
    return RedisLimitStore.connect(options, received);
  }

  /** Begins to move the slot of this subject from the first server to the second. */
  final void beginMove(Subject moving) {
    try (Jedis from = cluster.get(0).client();
        Jedis to = cluster.get(1).client()) {
      to.clusterSetSlotImporting(slotOf(moving), from.clusterMyId());
      from.clusterSetSlotMigrating(slotOf(moving), to.clusterMyId());
    }
  }

  /** Assigns the slot of this subject to the second server, on all of them. */
  final void endMove(Subject moving) {
    try (Jedis from = cluster.get(0).client();
        Jedis to = cluster.get(1).client();
        Jedis other = cluster.get(2).client()) {
      String target = to.clusterMyId();
      for (Jedis node : new Jedis[] {to, from, other}) {
        node.clusterSetSlotNode(slotOf(moving), target);
      }
    }
  }

  final boolean decides(Charge... charges) {
    try {
      store.decide(AcquireRequests.request(charges));
      return true;
    } catch (StoreUnavailableException gone) {
      return false;
    }
  }

  static Subject subjectOn(int server) {
    while (true) {
      Subject subject = Subject.of("user", UUID.randomUUID().toString());
      if (serverOf(subject) == server) {
        return subject;
      }
    }
  }

  static int serverOf(Subject subject) {
    int slot = slotOf(subject);
    return slot < 5_461 ? 0 : slot < 10_922 ? 1 : 2;
  }

  static int slotOf(Subject subject) {
    return RedisKeys.slot(KEYS.key(new Counter("any", Limit.parse(LIMIT), subject)));
  }
}
