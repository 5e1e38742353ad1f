package dev.weir.bench;

import redis.clients.jedis.Jedis;

/**
 * What Redis has spent up to a moment.
 *
 * @param cpuMicros its processor time
 * @param commands how many it has run
 */
public record Spent(double cpuMicros, long commands) {

  /** Returns what the server of this connection has spent since it began. */
  static Spent by(Jedis server) {
    double cpu = cpuMicros(server);
    return new Spent(cpu, calls(server, ""));
  }

  static double cpuMicros(Jedis server) {
    String cpu = server.info("cpu");
    double seconds =
        Double.parseDouble(field(cpu, "used_cpu_sys"))
            + Double.parseDouble(field(cpu, "used_cpu_user"));
    return seconds * 1e6;
  }

  static long calls(Jedis server, String command) {
    return server
        .info("commandstats")
        .lines()
        .filter(line -> line.startsWith("cmdstat_" + command))
        .filter(line -> !line.startsWith("cmdstat_info"))
        .mapToLong(line -> Long.parseLong(line.replaceFirst(".*?calls=(\\d+).*", "$1").strip()))
        .sum();
  }

  static String field(String info, String name) {
    return info.lines()
        .filter(line -> line.startsWith(name + ":"))
        .map(line -> line.substring(name.length() + 1).strip())
        .findFirst()
        .orElseThrow(() -> new IllegalStateException("INFO: no " + name));
  }

  public Spent since(Spent before) {
    return new Spent(cpuMicros - before.cpuMicros, commands - before.commands);
  }

  /** Returns the sum of both. */
  Spent plus(Spent other) {
    return new Spent(cpuMicros + other.cpuMicros, commands + other.commands);
  }
}
