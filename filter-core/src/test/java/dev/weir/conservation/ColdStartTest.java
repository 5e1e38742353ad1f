package dev.weir.conservation;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.Full;
import dev.weir.Jvm;
import dev.weir.redis.RedisServer;
import dev.weir.redis.RedisVersion;
import java.io.BufferedReader;
import java.io.IOException;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The first requests of a process that has just begun are decided in Redis. */
@SuppressWarnings("SystemOut") // the figure is this test's result
@Full
@Timeout(180)
class ColdStartTest {

  private static final int PROCESSES = 20;

  @Test
  void of_the_first_100_requests_to_each_of_20_processes_1998_of_2000_are_decided_in_Redis()
      throws IOException {
    int decided = 0;
    try (RedisServer server = RedisServer.start(RedisVersion.newest())) {
      for (int i = 0; i < PROCESSES; i++) {
        decided += decidedInRedis(server);
      }
    }
    System.out.printf("cold starts: %d of 2000 decided in Redis%n", decided);
    assertThat(decided).isGreaterThanOrEqualTo(1_998);
  }

  private static int decidedInRedis(RedisServer server) throws IOException {
    Process process = Jvm.start(ColdNode.class, List.of(server.uri()));
    try (BufferedReader output = process.inputReader()) {
      return Integer.parseInt(output.readLine());
    } finally {
      process.destroyForcibly();
    }
  }
}
