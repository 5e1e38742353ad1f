package dev.weir.redis;

import static dev.weir.redis.SizingLoad.DECISIONS;
import static dev.weir.redis.SizingLoad.KEYS;
import static dev.weir.redis.SizingLoad.LONG;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.InstanceOfAssertFactories.LIST;

import dev.weir.limit.Limit;
import dev.weir.near.TokenLeaseStore;
import dev.weir.redis.internal.script.Commands;
import dev.weir.redis.internal.script.RedisKeys;
import dev.weir.redis.internal.script.Script;
import dev.weir.store.Counter;
import dev.weir.store.LimitStore;
import dev.weir.store.LimiterListener;
import dev.weir.store.Subject;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import redis.clients.jedis.Connection;
import redis.clients.jedis.Jedis;

/**
 * A measurement of the figures behind the sizing model in docs/internals/sizing.md. It is not part
 * of the gate and runs by its name.
 *
 * <p>It reports processor time of the servers, which other load on the machine changes little.
 */
@SuppressWarnings("SystemOut") // the purpose of this class
class Sizing {

  private static final int THREADS = 32;

  /** Most of these are decided in process. */
  private static final int LEASED = 960_000;

  private static final int ROUNDS = 3;

  @Test
  void what_a_decision_costs() throws Exception {
    try (RedisServer server = RedisServer.start(RedisVersion.newest())) {
      RedisOptions options = RedisOptions.of(server.uri(), "sizing");
      List<RedisServer> one = List.of(server);
      List<SizingLoad> alone = new ArrayList<>();
      List<SizingLoad> together = new ArrayList<>();
      List<SizingLoad> single = new ArrayList<>();
      List<SizingLoad> piped = new ArrayList<>();
      List<SizingLoad> hot = new ArrayList<>();
      List<SizingLoad> leased = new ArrayList<>();
      for (int round = 0; round <= ROUNDS; round++) {
        alone.add(SizingLoad.store(one, options.withoutBatching(), THREADS, KEYS));
        together.add(SizingLoad.store(one, options, THREADS, KEYS));
        single.add(SizingLoad.pipeline(server, 1, DECISIONS / 4));
        piped.add(SizingLoad.pipeline(server, THREADS, DECISIONS));
        hot.add(SizingLoad.store(one, options, THREADS, 1));
        leased.add(leases(server));
        if (round == 0) { // to warm up
          List.of(alone, together, single, piped, hot, leased).forEach(List::clear);
        }
      }
      SizingLoad a = SizingLoad.median(single);
      SizingLoad p = SizingLoad.median(piped);
      SizingLoad.median(alone).print("alone, 1,000 keys");
      SizingLoad.median(together).print("batching, 1,000 keys");
      a.print("one after the other, one connection");
      p.print("pipelined, one connection");
      SizingLoad.median(hot).print("batching, one key");
      SizingLoad.median(leased).print("leases, one key");
      double read = (a.cpuMicros() - p.cpuMicros()) / (1 - 1 / p.perRead());
      System.out.printf("a read: %.2f µs, a call: %.2f µs%n", read, a.cpuMicros() - read);
    }
  }

  private static SizingLoad leases(RedisServer server) throws Exception {
    RedisOptions options = RedisOptions.of(server.uri(), "sizing").withDeadline(LONG);
    try (LimitStore store =
        TokenLeaseStore.of(
            RedisLimitStore.connect(options, LimiterListener.NONE), counter -> true)) {
      return SizingLoad.of(List.of(server), store, THREADS, 1, LEASED);
    }
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
      SizingLoad.patient(redis);
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
    redis.scriptLoad(Script.DECIDE_ONE.text());
    double before = RedisCost.field(redis.info("memory"), "used_memory");
    Connection connection = SizingLoad.patient(redis);
    for (int sent = 0; sent < keys; sent += KEYS) {
      for (int i = 0; i < KEYS; i++) {
        String key = names.key(new Counter("api", limit, Subject.of("key " + (sent + i))));
        connection.sendCommand(
            SizingLoad.decide(commands, key, limit, limit.capacity()).byDigest());
      }
      assertThat(connection.getMany(KEYS)).hasSize(KEYS);
    }
    return (RedisCost.field(redis.info("memory"), "used_memory") - before) / keys;
  }
}
