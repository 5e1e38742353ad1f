package dev.weir.conservation;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.fixture.Full;
import dev.weir.fixture.Jvm;
import dev.weir.redis.RedisServer;
import dev.weir.redis.RedisVersion;
import java.io.BufferedReader;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import redis.clients.jedis.Jedis;

/**
 * Processes hold permits of one concurrency limit through one Redis. The protected code counts the
 * threads that are inside it. Time is Redis's own, and each measured time is bounded from both
 * sides.
 */
@Full
@Timeout(180)
class HeldTest {

  private static final int PROCESSES = 4;
  private static final int PERMITS = 3;
  private static final long LEASE_MICROS = 2_000_000;
  private static final String LIMIT = PERMITS + " concurrent, ttl 2s";

  /** Within which a permit that is there is found and taken. */
  private static final long SLACK_MICROS = 1_500_000;

  private final List<Process> holders = new ArrayList<>();

  @AfterEach
  void end() {
    holders.forEach(Process::destroyForcibly);
  }

  @Test
  void four_processes_never_hold_more_than_the_limit_and_stay_beyond_their_leases()
      throws Exception {
    try (RedisServer server = RedisServer.start(RedisVersion.newest());
        Jedis redis = server.client()) {
      List<BufferedReader> outputs = new ArrayList<>();
      for (int i = 0; i < PROCESSES; i++) {
        // one that stays for three leases, and three that come and go
        outputs.add(
            i == 0 ? start(server, "stays", 1, 6_000) : start(server, "goes-" + i, 4, 5L * i));
      }
      awaitEntries(redis, 1_000);
      long begun = Worker.micros(redis);
      Awaitility.await()
          .atMost(Duration.ofSeconds(60))
          .until(() -> Worker.micros(redis) > begun + 4 * LEASE_MICROS);
      redis.set(Holder.STOP, "");
      for (BufferedReader output : outputs) {
        assertThat(output.readLine()).isEqualTo("done");
      }
      report(redis);
      assertThat(redis.get(Holder.MOST)).isEqualTo(Integer.toString(PERMITS));
      assertThat(redis.get(Holder.LOST)).isEqualTo("0");
      assertThat(redis.hvals(Holder.INSIDE)).containsOnly("0");
    }
  }

  @Test
  void the_permits_of_a_holder_that_is_killed_return_when_its_lease_ends_and_not_before()
      throws Exception {
    try (RedisServer server = RedisServer.start(RedisVersion.newest());
        Jedis redis = server.client()) {
      start(server, "victim", PERMITS, 600_000);
      Awaitility.await()
          .atMost(Duration.ofSeconds(60))
          .until(() -> Integer.toString(PERMITS).equals(redis.hget(Holder.INSIDE, "victim")));
      long begun = Worker.micros(redis);
      start(server, "heir", 1, 600_000);
      Awaitility.await()
          .atMost(Duration.ofSeconds(60))
          .until(() -> Worker.micros(redis) > begun + 2 * LEASE_MICROS);
      assertThat(redis.hexists(Holder.INSIDE, "heir")).as("while the victim lives").isFalse();

      holders.get(0).destroyForcibly().waitFor();
      long killed = Worker.micros(redis);
      long leaseEnds = firstLeaseEnd(redis);
      assertThat(leaseEnds).isGreaterThan(killed);
      Awaitility.await()
          .atMost(Duration.ofSeconds(60))
          .pollInterval(Duration.ofMillis(5))
          .until(() -> redis.hexists(Holder.INSIDE, "heir"));
      long returned = Worker.micros(redis);

      reportReturn(returned - killed);
      assertThat(returned - leaseEnds).isBetween(0L, SLACK_MICROS);
    }
  }

  /** As the one counter says that there is. */
  private static long firstLeaseEnd(Jedis redis) {
    String key =
        redis.keys("held:*").stream().filter(k -> k.endsWith("h:held")).findAny().orElseThrow();
    return redis.zrangeWithScores(key, 0, -1).stream()
        .mapToLong(member -> (long) member.getScore())
        .filter(ends -> ends > 0)
        .min()
        .orElseThrow();
  }

  private static void awaitEntries(Jedis redis, int entries) {
    Awaitility.await()
        .atMost(Duration.ofSeconds(60))
        .until(
            () -> {
              String soFar = redis.get(Holder.ENTRIES);
              return soFar != null && Integer.parseInt(soFar) > entries;
            });
  }

  private BufferedReader start(RedisServer server, String name, int threads, long stayMillis)
      throws IOException {
    Process holder =
        Jvm.start(
            Holder.class,
            List.of(
                server.uri(), LIMIT, name, Integer.toString(threads), Long.toString(stayMillis)));
    holders.add(holder);
    BufferedReader output = holder.inputReader(UTF_8);
    assertThat(output.readLine()).isEqualTo("ready");
    return output;
  }

  @SuppressWarnings("SystemOut") // what was measured is this test's result
  private static void report(Jedis redis) {
    System.out.printf(
        "Held: %s by %d processes; %s entries, at most %s inside%n",
        LIMIT, PROCESSES, redis.get(Holder.ENTRIES), redis.get(Holder.MOST));
  }

  @SuppressWarnings("SystemOut") // what was measured is this test's result
  private static void reportReturn(long micros) {
    System.out.printf("Held: permits of a killed holder returned after %d ms%n", micros / 1_000);
  }
}
