package dev.weir.conservation;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.fixture.Alone;
import dev.weir.fixture.Jvm;
import dev.weir.fixture.TestRun;
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
 * Four processes hammer one token bucket and one fixed window through one Redis, asking for far
 * more than there is. They count what they are granted, and that is held against the promises: not
 * a permit too many, and none of the entitlement lost.
 *
 * <p>Time is Redis's own. The upper bounds count from before the first request to after the last;
 * the lower ones while all processes were asking.
 */
@Alone
class ConservationTest {

  private static final int PROCESSES = 4;
  private static final long SECONDS = TestRun.pick(6, 20);
  private static final long RATE = 300;
  private static final long BURST = 600;
  private static final long QUOTA = 300;
  private static final long MICROS = 1_000_000;

  /** What the processes asked of one limiter and were granted, all together. */
  private record Total(long requested, long granted, long spoiled) {}

  @Test
  @Timeout(180)
  void four_processes_are_granted_what_is_promised_and_no_more() throws Exception {
    try (RedisServer redis = RedisServer.start(RedisVersion.newest())) {
      List<Process> workers = new ArrayList<>();
      try {
        for (int i = 0; i < PROCESSES; i++) {
          workers.add(worker(redis.uri()));
        }
        hammer(redis, workers);
      } finally {
        workers.forEach(Process::destroyForcibly);
      }
    }
  }

  private static void hammer(RedisServer redis, List<Process> workers) throws IOException {
    List<BufferedReader> outputs =
        workers.stream().map(worker -> worker.inputReader(UTF_8)).toList();
    for (BufferedReader output : outputs) {
      assertThat(output.readLine()).isEqualTo("ready");
    }
    long before = time(redis);
    for (Process worker : workers) {
      worker.outputWriter(UTF_8).append("go\n").flush();
    }
    List<String[]> results = new ArrayList<>();
    for (BufferedReader output : outputs) {
      results.add(output.readLine().split(" "));
    }
    long after = time(redis);
    long firstRequested =
        results.stream().mapToLong(result -> Long.parseLong(result[6])).max().orElseThrow();
    long lastRequested =
        results.stream().mapToLong(result -> Long.parseLong(result[7])).min().orElseThrow();

    assertBucket(total(results, 0), after - before, lastRequested - firstRequested);
    assertWindow(total(results, 3), before, after, firstRequested, lastRequested);
  }

  private static void assertBucket(Total total, long longest, long shortest) {
    long most = BURST + RATE * longest / MICROS;
    long least = BURST + RATE * shortest / MICROS - 1;
    report("token bucket", total, least, most);
    assertSaturated(total);
    assertThat(total.granted).isBetween(least, most);
  }

  private static void assertWindow(
      Total total, long before, long after, long firstRequested, long lastRequested) {
    long touched = after / MICROS - before / MICROS + 1;
    long whole = lastRequested / MICROS - (firstRequested / MICROS + 1);
    report("fixed window", total, QUOTA * whole, QUOTA * touched);
    assertSaturated(total);
    assertThat(total.granted).isBetween(QUOTA * whole, QUOTA * touched);
  }

  private static void assertSaturated(Total total) {
    assertThat(total.spoiled).as("decisions made elsewhere than in Redis").isZero();
    assertThat(total.requested).as("asked").isGreaterThan(3 * total.granted);
  }

  private static Total total(List<String[]> results, int at) {
    return new Total(sum(results, at), sum(results, at + 1), sum(results, at + 2));
  }

  private static long sum(List<String[]> results, int at) {
    return results.stream().mapToLong(result -> Long.parseLong(result[at])).sum();
  }

  @SuppressWarnings("SystemOut") // the bounds are this test's result
  private static void report(String limit, Total total, long least, long most) {
    System.out.printf(
        "Conservation, %s: %d asked by %d processes of %d threads; granted %d, promised %d to %d%n",
        limit, total.requested, PROCESSES, Worker.THREADS, total.granted, least, most);
  }

  private static long time(RedisServer redis) {
    try (Jedis client = redis.client()) {
      return Worker.micros(client);
    }
  }

  private static Process worker(String uri) throws IOException {
    return Jvm.start(
        Worker.class,
        List.of(
            uri,
            RATE + " per second, burst " + BURST,
            QUOTA + " per second window UTC",
            Long.toString(SECONDS)));
  }
}
