package dev.weir.config;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.Jvm;
import dev.weir.redis.RedisServer;
import dev.weir.redis.RedisVersion;
import java.io.BufferedReader;
import java.io.IOException;
import java.util.List;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;

/** The first outage of a process finds the code of the fallback loaded. The rest is Redis's own. */
class OutageRehearsalTest {

  @Test
  void after_a_rehearsal_an_outage_loads_two_thirds_of_the_classes_at_most() throws IOException {
    assertThat(classesOfFirstOutage(true)).isLessThan(classesOfFirstOutage(false) * 2 / 3);
  }

  private static long classesOfFirstOutage(boolean isRehearsed) throws IOException {
    try (RedisServer server = RedisServer.start(RedisVersion.newest())) {
      Process process =
          Jvm.start(FirstOutageNode.class, List.of(server.uri(), String.valueOf(isRehearsed)));
      try (BufferedReader output = process.inputReader()) {
        assertThat(output.readLine()).isEqualTo("ready");
        server.kill();
        process.getOutputStream().write('\n');
        process.getOutputStream().flush();
        String[] counted = String.valueOf(output.readLine()).split(" ", -1);
        assertThat(counted[0]).isEqualTo("LOCAL");
        return Long.parseLong(counted[1]);
      } finally {
        process.destroyForcibly();
      }
    }
  }

  @Test
  void it_is_rehearsed_in_the_background_where_there_is_a_redis() {
    try (RedisServer server = RedisServer.start(RedisVersion.newest());
        Weir weir = Weir.open(Weirs.webInf(yaml("redis: " + server.uri()), Weirs.application()))) {
      assertThat(weir.status().redis()).isPresent();
      assertThat(rehearsals()).isEqualTo(1);
    }
    Awaitility.await().until(() -> rehearsals() == 0);
    try (Weir weir = Weir.open(Weirs.webInf(yaml(""), Weirs.application()))) {
      assertThat(weir.status().redis()).isEmpty();
      assertThat(rehearsals()).isZero();
    }
  }

  private static String yaml(String redis) {
    return """
    application: rehearsed
    %s
    rules: [{ name: all, match: /**, limits: 1000 per hour }]
    """
        .formatted(redis);
  }

  private static long rehearsals() {
    return Thread.getAllStackTraces().keySet().stream()
        .filter(thread -> thread.getName().startsWith("weir-rehearsal"))
        .count();
  }
}
