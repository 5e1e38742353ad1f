package dev.weir.bench.jmh;

import dev.weir.config.Weir;
import dev.weir.http.spi.Outcome;
import dev.weir.http.spi.RequestLimiter;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;

/** A request from its path to its response's fields, decided in process, among so many rules. */
@State(Scope.Benchmark)
@SuppressWarnings("NullAway.Init") // JMH sets up
public class RuleDecisions {

  @Param({"1", "10", "1000"})
  public int rules;

  private Weir weir;
  private RequestLimiter limiter;
  private String path;

  @Setup
  public void start() {
    weir = Weir.of(yaml());
    limiter = weir.limiter();
    path = "/api/resource" + rules / 2 + "/17";
    if (limit().fields().isEmpty()) {
      throw new IllegalStateException(path + ": no rule applies (expected: one)");
    }
  }

  @TearDown
  public void stop() {
    weir.close();
  }

  @Benchmark
  public Outcome limit() {
    return limiter.limit(new MemoryRequest(path, "203.0.113.7"));
  }

  /** Returns a configuration where each rule has its own path, and all share ten limits. */
  private String yaml() {
    StringBuilder yaml = new StringBuilder("limits:\n");
    for (int limit = 0; limit < 10; limit++) {
      yaml.append("  limit%d: 1000 per second, burst 1_000_000_000\n".formatted(limit));
    }
    yaml.append("rules:\n");
    for (int rule = 0; rule < rules; rule++) {
      yaml.append(
          "  - { name: rule%d, match: /api/resource%d/**, subject: ip, limits: [limit%d] }\n"
              .formatted(rule, rule, rule % 10));
    }
    return yaml.toString();
  }
}
