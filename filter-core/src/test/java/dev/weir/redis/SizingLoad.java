package dev.weir.redis;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.limit.Limit;
import dev.weir.redis.internal.script.Commands;
import dev.weir.redis.internal.script.Operation;
import dev.weir.redis.internal.script.RedisKeys;
import dev.weir.redis.internal.script.Script;
import dev.weir.redis.internal.script.ScriptCall;
import dev.weir.redis.internal.script.ScriptCall.Part;
import dev.weir.store.AcquireRequest;
import dev.weir.store.AcquireRequest.Charge;
import dev.weir.store.Counter;
import dev.weir.store.Deadline;
import dev.weir.store.LimitStore;
import dev.weir.store.LimiterListener;
import dev.weir.store.OnOutage;
import dev.weir.store.StoreUnavailableException;
import dev.weir.store.Subject;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.awaitility.Awaitility;
import redis.clients.jedis.Connection;
import redis.clients.jedis.Jedis;

/**
 * Loads on servers, and the cost of each of their decisions.
 *
 * @param cpuMicros processor time of all servers
 * @param calls of scripts
 * @param perRead decisions that arrived together
 * @param bytes in and out
 */
record SizingLoad(double cpuMicros, double calls, double perRead, double bytes) {

  static final int DECISIONS = 32_000;
  static final int KEYS = 1_000;
  static final Duration LONG = Duration.ofSeconds(30);
  static final Limit LIMIT = Limit.parse("1000000 per second, burst 1000000");

  static SizingLoad median(List<SizingLoad> all) {
    return all.stream()
        .sorted((one, other) -> Double.compare(one.cpuMicros, other.cpuMicros))
        .toList()
        .get(all.size() / 2);
  }

  /** Returns how many decisions a call of a script carries. */
  double together() {
    return 1 / calls;
  }

  void print(String what) {
    System.out.printf(
        "%-44s %6.3f µs CPU, %.4f calls, %5.1f bytes a decision; %.1f decisions a read%n",
        what, cpuMicros, calls, bytes, perRead);
  }

  /** Runs so many threads that decide over so many keys by a store. */
  static SizingLoad store(List<RedisServer> servers, RedisOptions options, int threads, int keys)
      throws Exception {
    RedisOptions patient = options.withDeadline(LONG);
    try (RedisLimitStore store = RedisLimitStore.connect(patient, LimiterListener.NONE)) {
      Awaitility.await().atMost(LONG).until(() -> store.awaitAnswer(LONG));
      return of(servers, store, threads, keys, DECISIONS);
    }
  }

  static SizingLoad of(
      List<RedisServer> servers, LimitStore store, int threads, int keys, int decisions)
      throws Exception {
    request(store, new SplittableRandom(0), keys, threads); // the connections are there
    RedisCost before = RedisCost.of(servers);
    ExecutorService executor = Executors.newFixedThreadPool(threads);
    try {
      SplittableRandom random = new SplittableRandom(7);
      List<Callable<Void>> work = new ArrayList<>();
      for (int i = 0; i < threads; i++) {
        SplittableRandom own = random.split();
        work.add(() -> request(store, own, keys, decisions / threads));
      }
      for (Future<Void> done : executor.invokeAll(work)) {
        done.get();
      }
    } finally {
      executor.shutdownNow();
    }
    return of(RedisCost.of(servers).since(before), decisions);
  }

  private static Void request(LimitStore store, SplittableRandom random, int keys, int times)
      throws StoreUnavailableException {
    for (int i = 0; i < times; i++) {
      Counter counter = new Counter("cost", LIMIT, Subject.of("key " + random.nextInt(keys)));
      AcquireRequest request =
          new AcquireRequest(List.of(new Charge(counter, 1)), OnOutage.DENY, Deadline.after(LONG));
      assertThat(store.decide(request).allowed()).isTrue();
    }
    return null;
  }

  /** Sends so many calls of one decision each, written at once. */
  static SizingLoad pipeline(RedisServer server, int together, int decisions) {
    RedisKeys keys = new RedisKeys("sizing", Optional.empty());
    Commands commands = Commands.byServerTime(Instant::now);
    SplittableRandom random = new SplittableRandom(9);
    RedisCost before = RedisCost.of(List.of(server));
    try (Jedis redis = server.client()) {
      redis.scriptLoad(Script.DECIDE_ONE.text());
      Connection connection = patient(redis);
      for (int sent = 0; sent < decisions; sent += together) {
        for (int i = 0; i < together; i++) {
          Subject subject = Subject.of("key " + random.nextInt(KEYS));
          String key = keys.key(new Counter("cost", LIMIT, subject));
          connection.sendCommand(decide(commands, key, LIMIT, 1).byDigest());
        }
        assertThat(connection.getMany(together)).hasSize(together);
      }
    }
    return of(RedisCost.of(List.of(server)).since(before), decisions);
  }

  /** Returns a decision over one counter. */
  static ScriptCall decide(Commands commands, String key, Limit limit, long permits) {
    Part part = new Part(commands.encode(limit, 0), permits);
    return ScriptCall.of(Operation.DECIDE, List.of(key), commands.time(), List.of(part), List.of());
  }

  private static SizingLoad of(RedisCost cost, int decisions) {
    return new SizingLoad(
        cost.cpuMicros() / decisions,
        (double) cost.calls() / decisions,
        (double) decisions / cost.reads(),
        (double) cost.bytes() / decisions);
  }

  static Connection patient(Jedis redis) {
    Connection connection = redis.getConnection();
    connection.setSoTimeout(Math.toIntExact(LONG.toMillis()));
    return connection;
  }
}
