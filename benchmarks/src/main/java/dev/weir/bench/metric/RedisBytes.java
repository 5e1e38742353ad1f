package dev.weir.bench.metric;

import dev.weir.bench.Metric;
import dev.weir.bench.RedisUnderTest;
import dev.weir.bench.Row;
import dev.weir.bench.Workbench;
import dev.weir.bench.peer.GoZeroScript;
import dev.weir.bench.peer.Numbers;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** The bytes that Redis needs for a key, from the growth of its memory with a million of them. */
final class RedisBytes implements Metric {

  private static final int KEYS = 1_000_000;

  private static final String PERIOD = "1000 per day";

  /** Limits of several kinds that live long enough to be counted. */
  private static final Map<String, String> LIMITS = limits();

  /** go-zero supports no rate below one a second; its state has the same length. */
  private static final Numbers WHOLE = new Numbers(1, Duration.ofSeconds(1), 1_000);

  private static Map<String, String> limits() {
    Map<String, String> limits = new LinkedHashMap<>();
    limits.put("redis-bytes-token", PERIOD);
    limits.put("redis-bytes-window", PERIOD + " window");
    limits.put("redis-bytes-sliding", PERIOD + " sliding");
    return limits;
  }

  @Override
  public List<String> names() {
    return List.copyOf(LIMITS.keySet());
  }

  @Override
  public Duration plan() {
    return Duration.ofSeconds(60);
  }

  @Override
  public List<Row> measure(Workbench bench) throws Exception {
    RedisUnderTest redis = bench.redis();
    Map<String, Double> ours = new LinkedHashMap<>();
    for (Map.Entry<String, String> limit : LIMITS.entrySet()) {
      ours.put(
          limit.getKey(),
          bytes(redis, 1, () -> Fill.withOurs(redis.uri(), limit.getValue(), KEYS)));
    }
    double goZero =
        bytes(redis, 2, () -> Fill.with(new GoZeroScript(redis.uri(), 16, KEYS, WHOLE), KEYS));
    List<Row> rows = new ArrayList<>();
    ours.forEach((metric, bytes) -> rows.add(new Row(metric, bytes, goZero, GoZeroScript.NAME)));
    return rows;
  }

  /** A function that writes a million keys. */
  @FunctionalInterface
  private interface Filling {
    void run() throws Exception;
  }

  private static double bytes(RedisUnderTest redis, int keysEach, Filling filling)
      throws Exception {
    redis.clear();
    long before = redis.usedMemory();
    filling.run();
    long keys = redis.keys();
    if (keys < (long) KEYS * keysEach) {
      throw new IllegalStateException(
          "keys: %d (expected: at least %d)".formatted(keys, (long) KEYS * keysEach));
    }
    return (double) (redis.usedMemory() - before) / KEYS;
  }
}
