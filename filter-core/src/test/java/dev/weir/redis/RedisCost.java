package dev.weir.redis;

import java.util.List;
import redis.clients.jedis.Jedis;

/**
 * The cost to servers together, from their own statistics.
 *
 * @param cpuMicros processor time
 * @param calls of scripts
 * @param reads from connections, each of which may bring several calls
 * @param bytes in and out
 */
record RedisCost(double cpuMicros, long calls, long reads, long bytes) {

  static RedisCost of(List<RedisServer> servers) {
    RedisCost sum = new RedisCost(0, 0, 0, 0);
    for (RedisServer server : servers) {
      try (Jedis redis = server.client()) {
        String stats = redis.info("stats");
        sum =
            new RedisCost(
                sum.cpuMicros + cpuMicros(redis.info("cpu")),
                sum.calls + calls(redis.info("commandstats")),
                sum.reads + (long) field(stats, "total_reads_processed"),
                sum.bytes
                    + (long) field(stats, "total_net_input_bytes")
                    + (long) field(stats, "total_net_output_bytes"));
      }
    }
    return sum;
  }

  RedisCost since(RedisCost before) {
    return new RedisCost(
        cpuMicros - before.cpuMicros,
        calls - before.calls,
        reads - before.reads,
        bytes - before.bytes);
  }

  private static double cpuMicros(String info) {
    return (field(info, "used_cpu_sys") + field(info, "used_cpu_user")) * 1e6;
  }

  private static long calls(String info) {
    return info.lines()
        .filter(line -> line.startsWith("cmdstat_evalsha:"))
        .mapToLong(line -> Long.parseLong(line.replaceFirst(".*?calls=(\\d+).*", "$1")))
        .sum();
  }

  static double field(String info, String name) {
    return info.lines()
        .filter(line -> line.startsWith(name + ":"))
        .mapToDouble(line -> Double.parseDouble(line.substring(name.length() + 1).strip()))
        .findFirst()
        .orElseThrow(() -> new IllegalStateException("INFO: no " + name));
  }
}
