package dev.weir.conservation;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.fixture.Full;
import dev.weir.fixture.Jvm;
import dev.weir.redis.RedisServer;
import dev.weir.redis.RedisVersion;
import java.io.BufferedReader;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import redis.clients.jedis.Jedis;

/**
 * Four processes that lease hammer one counter through one Redis; another, which leases of it too,
 * is killed while they do. They count what they are granted, by Redis's own clock from before the
 * first request to after the last.
 */
@Full
class LeasedConservationTest {

  private static final int PROCESSES = 4;
  private static final long MILLIS = 4_000;
  private static final long RATE = 20_000;
  private static final long BURST = 20_000;
  private static final long QUOTA = 10_000;
  private static final long MICROS = 1_000_000;

  private record Granted(long all, long leased, long micros, long windows) {}

  @Test
  @Timeout(180)
  void all_together_are_granted_no_more_of_a_bucket_than_is_promised() throws Exception {
    Granted granted = hammer(RATE + " per second, burst " + BURST);
    long most = BURST + RATE * granted.micros() / MICROS;
    report("token bucket", granted, most);
    assertThat(granted.all()).isLessThanOrEqualTo(most).isGreaterThan(BURST);
    assertThat(granted.leased()).isPositive();
  }

  @Test
  @Timeout(180)
  void nor_of_a_window() throws Exception {
    Granted granted = hammer(QUOTA + " per second window UTC");
    long most = QUOTA * granted.windows();
    report("fixed window", granted, most);
    assertThat(granted.all()).isLessThanOrEqualTo(most).isGreaterThan(QUOTA);
    assertThat(granted.leased()).isPositive();
  }

  private static Granted hammer(String limit) throws IOException, InterruptedException {
    List<Process> nodes = new ArrayList<>();
    try (RedisServer redis = RedisServer.start(RedisVersion.newest())) {
      for (int i = 0; i <= PROCESSES; i++) {
        nodes.add(Jvm.start(LeasingNode.class, List.of(redis.uri(), limit, Long.toString(MILLIS))));
      }
      return hammer(redis, nodes);
    } finally {
      nodes.forEach(Process::destroyForcibly);
    }
  }

  private static Granted hammer(RedisServer redis, List<Process> nodes)
      throws IOException, InterruptedException {
    List<BufferedReader> outputs = nodes.stream().map(node -> node.inputReader(UTF_8)).toList();
    for (BufferedReader output : outputs) {
      assertThat(output.readLine()).isEqualTo("ready");
    }
    long before = time(redis);
    for (Process node : nodes) {
      node.outputWriter(UTF_8).append("go\n").flush();
    }
    Process killed = nodes.get(PROCESSES);
    while (time(redis) < before + MILLIS * 500) {
      Thread.onSpinWait();
    }
    killed.destroyForcibly().waitFor();
    long all = 0;
    long leased = 0;
    for (BufferedReader output : outputs.subList(0, PROCESSES)) {
      String[] reported = output.readLine().split(" ", -1);
      all += Long.parseLong(reported[0]);
      leased += Long.parseLong(reported[1]);
    }
    long after = time(redis);
    return new Granted(all, leased, after - before, after / MICROS - before / MICROS + 1);
  }

  @SuppressWarnings("SystemOut") // the bounds are this test's result
  private static void report(String limit, Granted granted, long most) {
    System.out.printf(
        "Conservation under leases, %s: %d granted by %d processes, %d of them out of leases;"
            + " promised at most %d%n",
        limit, granted.all(), PROCESSES, granted.leased(), most);
  }

  private static long time(RedisServer redis) {
    try (Jedis client = redis.client()) {
      return Worker.micros(client);
    }
  }
}
