package dev.weir.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.InstanceOfAssertFactories.LIST;

import dev.weir.Ask;
import dev.weir.Charge;
import dev.weir.Counter;
import dev.weir.Deadline;
import dev.weir.Limit;
import dev.weir.LimitStore;
import dev.weir.LimiterListener;
import dev.weir.OnOutage;
import dev.weir.StoreUnavailableException;
import dev.weir.Subject;
import dev.weir.near.LeaseStore;
import dev.weir.redis.internal.script.Commands;
import dev.weir.redis.internal.script.RedisKeys;
import dev.weir.redis.internal.script.Script;
import dev.weir.redis.internal.script.ScriptCall;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.UUID;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import redis.clients.jedis.Connection;
import redis.clients.jedis.Jedis;

/**
 * Measures what the sizing model in docs/operations.md rests on, and checks the model against a
 * cluster of three primaries. No part of the gate: it is run by its name.
 *
 * <p>What is told is processor time of the servers, which a machine that is busy otherwise changes
 * little.
 */
@SuppressWarnings("SystemOut") // what it is for
class Sizing {

  private static final int THREADS = 32;
  private static final int KEYS = 1_000;
  private static final int DECISIONS = 32_000;

  /** Most of which are decided in process. */
  private static final int LEASED = 960_000;

  /** As many as share a trip to one of three primaries. */
  private static final int LANE = 5;

  private static final int ROUNDS = 3;
  private static final Duration LONG = Duration.ofSeconds(30);
  private static final Limit LIMIT = Limit.parse("1000000 per second, burst 1000000");

  /** A load on some servers; processor time and the like, for each decision. */
  private record Found(double cpuMicros, double calls, double perRead, double bytes) {

    static Found median(List<Found> all) {
      return all.stream()
          .sorted((one, other) -> Double.compare(one.cpuMicros, other.cpuMicros))
          .toList()
          .get(all.size() / 2);
    }

    void print(String what) {
      System.out.printf(
          "%-36s %6.3f µs CPU, %.4f calls, %5.1f bytes a decision; %.1f decisions a read%n",
          what, cpuMicros, calls, bytes, perRead);
    }
  }

  @Test
  void what_a_decision_costs_and_whether_a_cluster_costs_what_the_model_says() throws Exception {
    RedisVersion version = RedisVersion.newest();
    try (RedisServer server = RedisServer.start(version);
        RedisServers lone = RedisServers.cluster(version, 1);
        RedisServers cluster = RedisServers.cluster(version, 3)) {
      List<RedisServer> one = List.of(server);
      List<Found> alone = new ArrayList<>();
      List<Found> together = new ArrayList<>();
      List<Found> single = new ArrayList<>();
      List<Found> piped = new ArrayList<>();
      List<Found> lane = new ArrayList<>();
      List<Found> hot = new ArrayList<>();
      List<Found> leased = new ArrayList<>();
      List<Found> three = new ArrayList<>();
      for (int round = 0; round <= ROUNDS; round++) {
        alone.add(store(one, server.uri(), false, KEYS));
        together.add(store(one, server.uri(), true, KEYS));
        single.add(pipeline(server, 1, DECISIONS / 4));
        piped.add(pipeline(server, THREADS, DECISIONS));
        lane.add(pipeline(lone.get(0), LANE, DECISIONS));
        hot.add(store(one, server.uri(), true, 1));
        leased.add(leases(server));
        three.add(store(cluster.all(), cluster.uri(), true, KEYS));
        if (round == 0) { // to warm up
          List.of(alone, together, single, piped, lane, hot, leased, three).forEach(List::clear);
        }
      }
      Found a = Found.median(single);
      Found p = Found.median(piped);
      Found c = Found.median(three);
      Found.median(alone).print("alone, 1,000 keys");
      Found.median(together).print("batching, 1,000 keys");
      a.print("one after the other, one connection");
      p.print("pipelined, one connection");
      Found.median(lane).print("a cluster's only primary, pipelined");
      Found.median(hot).print("batching, one key");
      Found.median(leased).print("leases, one key");
      c.print("cluster of 3, batching");
      double read = (a.cpuMicros - p.cpuMicros) / (1 - 1 / p.perRead);
      double call = a.cpuMicros - read;
      double predicted = call + read / c.perRead;
      System.out.printf(
          "model: %.2f µs a read, %.2f µs a call; cluster predicted %.2f µs, measured %.2f µs%n",
          read, call, predicted, c.cpuMicros);
      System.out.println("keys on each primary: " + Arrays.toString(spread(cluster)));
    }
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

  private static Found store(List<RedisServer> servers, String uri, boolean batching, int keys)
      throws Exception {
    RedisOptions usual = RedisOptions.of(uri, "sizing").withDeadline(LONG);
    RedisOptions options = batching ? usual : usual.withoutBatching();
    try (RedisLimitStore store = RedisLimitStore.connect(options, LimiterListener.NONE)) {
      Awaitility.await().atMost(LONG).until(() -> store.awaitAnswer(LONG));
      return load(servers, store, keys, DECISIONS);
    }
  }

  private static Found leases(RedisServer server) throws Exception {
    RedisOptions options = RedisOptions.of(server.uri(), "sizing").withDeadline(LONG);
    try (LimitStore store =
        new LeaseStore(RedisLimitStore.connect(options, LimiterListener.NONE), counter -> true)) {
      return load(List.of(server), store, 1, LEASED);
    }
  }

  private static Found load(List<RedisServer> servers, LimitStore store, int keys, int decisions)
      throws Exception {
    ask(store, new SplittableRandom(0), keys, THREADS); // the connections are there
    RedisCost before = RedisCost.of(servers);
    ExecutorService threads = Executors.newFixedThreadPool(THREADS);
    try {
      SplittableRandom random = new SplittableRandom(7);
      List<Callable<Void>> work = new ArrayList<>();
      for (int i = 0; i < THREADS; i++) {
        SplittableRandom own = random.split();
        work.add(() -> ask(store, own, keys, decisions / THREADS));
      }
      for (Future<Void> done : threads.invokeAll(work)) {
        done.get();
      }
    } finally {
      threads.shutdownNow();
    }
    return found(RedisCost.of(servers).since(before), decisions);
  }

  private static Void ask(LimitStore store, SplittableRandom random, int keys, int times)
      throws StoreUnavailableException {
    for (int i = 0; i < times; i++) {
      Counter counter = new Counter("cost", LIMIT, Subject.of("key " + random.nextInt(keys)));
      Ask ask = new Ask(List.of(new Charge(counter, 1)), OnOutage.DENY, Deadline.after(LONG));
      assertThat(store.decide(ask).allowed()).isTrue();
    }
    return null;
  }

  private static Found found(RedisCost cost, int decisions) {
    return new Found(
        cost.cpuMicros() / decisions,
        (double) cost.calls() / decisions,
        (double) decisions / cost.reads(),
        (double) cost.bytes() / decisions);
  }

  private static Connection patient(Jedis redis) {
    Connection connection = redis.getConnection();
    connection.setSoTimeout(Math.toIntExact(LONG.toMillis()));
    return connection;
  }

  /** As a lane of a cluster sends them, so many at a time. */
  private static Found pipeline(RedisServer server, int together, int decisions) {
    RedisKeys keys = new RedisKeys("sizing", Optional.empty());
    Commands commands = Commands.byServerTime(Instant::now);
    SplittableRandom random = new SplittableRandom(9);
    RedisCost before = RedisCost.of(List.of(server));
    try (Jedis redis = server.client()) {
      redis.scriptLoad(Script.ONE_BUCKET.text());
      Connection connection = patient(redis);
      for (int sent = 0; sent < decisions; sent += together) {
        for (int i = 0; i < together; i++) {
          List<String> arguments = new ArrayList<>(List.of(""));
          commands.add(LIMIT, 1, arguments);
          Subject subject = Subject.of("key " + random.nextInt(KEYS));
          String key = keys.key(new Counter("cost", LIMIT, subject));
          connection.sendCommand(
              new ScriptCall(Script.ONE_BUCKET, List.of(key), arguments).byName());
        }
        assertThat(connection.getMany(together)).hasSize(together);
      }
    }
    return found(RedisCost.of(List.of(server)).since(before), decisions);
  }

  @Test
  void what_the_heartbeats_of_a_thousand_nodes_cost() {
    int nodes = 1_000;
    int beats = 20_000;
    try (RedisServer server = RedisServer.start(RedisVersion.newest());
        Jedis redis = server.client()) {
      String sha1 = redis.scriptLoad(Script.HEARTBEAT.text());
      String key = new RedisKeys("sizing", Optional.empty()).reserved("nodes");
      String lost = key + ":lost";
      List<String> ids = new ArrayList<>();
      for (int i = 0; i < nodes; i++) {
        ids.add(UUID.randomUUID().toString());
        redis.evalsha(sha1, List.of(key, lost), List.of("", ids.get(i), "600000000", "0"));
      }
      patient(redis);
      RedisCost before = RedisCost.of(List.of(server));
      for (int i = 0; i < beats; i++) {
        Object reply =
            redis.evalsha(
                sha1, List.of(key, lost), List.of("", ids.get(i % nodes), "600000000", "0"));
        assertThat(reply).asInstanceOf(LIST).first().isEqualTo((long) nodes);
      }
      RedisCost cost = RedisCost.of(List.of(server)).since(before);
      double micros = cost.cpuMicros() / beats;
      System.out.printf(
          "heartbeats: %.1f µs CPU and %d bytes each; 1,000 nodes: 200 a second, %.2f %% of a core,"
              + " %d bytes of memory%n",
          micros, cost.bytes() / beats, 200 * micros / 1e4, redis.memoryUsage(key));
    }
  }

  @Test
  void what_an_idle_connection_costs() {
    int connections = 1_000;
    List<Jedis> all = new ArrayList<>();
    try (RedisServer server = RedisServer.start(RedisVersion.newest());
        Jedis redis = server.client()) {
      redis.ping();
      double before = RedisCost.field(redis.info("memory"), "used_memory");
      for (int i = 0; i < connections; i++) {
        Jedis one = server.client();
        one.ping();
        all.add(one);
      }
      double after = RedisCost.field(redis.info("memory"), "used_memory");
      System.out.printf("an idle connection: %.0f bytes%n", (after - before) / connections);
    } finally {
      all.forEach(Jedis::close);
    }
  }

  @Test
  void what_a_key_takes() {
    int keys = 100_000;
    try (RedisServer server = RedisServer.start(RedisVersion.newest());
        Jedis redis = server.client()) {
      for (String limit : List.of("100 per minute, burst 200", "100000 per day window")) {
        redis.flushAll();
        System.out.printf(
            "a key of '%s': %.0f bytes%n", limit, bytes(redis, Limit.parse(limit), keys));
      }
    }
  }

  private static double bytes(Jedis redis, Limit limit, int keys) {
    RedisKeys names = new RedisKeys("shop", Optional.empty());
    Commands commands = Commands.byServerTime(Instant::now);
    redis.scriptLoad(Script.one(limit).text());
    double before = RedisCost.field(redis.info("memory"), "used_memory");
    Connection connection = patient(redis);
    for (int sent = 0; sent < keys; sent += KEYS) {
      for (int i = 0; i < KEYS; i++) {
        List<String> arguments = new ArrayList<>(List.of(""));
        commands.add(limit, limit.capacity(), arguments);
        String key = names.key(new Counter("api", limit, Subject.of("key " + (sent + i))));
        connection.sendCommand(new ScriptCall(Script.one(limit), List.of(key), arguments).byName());
      }
      assertThat(connection.getMany(KEYS)).hasSize(KEYS);
    }
    return (RedisCost.field(redis.info("memory"), "used_memory") - before) / keys;
  }
}
