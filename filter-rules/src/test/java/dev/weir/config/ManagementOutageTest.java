package dev.weir.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.weir.http.FakeRequest;
import dev.weir.redis.RedisServer;
import dev.weir.redis.RedisVersion;
import java.lang.management.ManagementFactory;
import java.nio.file.Path;
import java.time.Instant;
import java.util.Date;
import java.util.Map;
import java.util.Objects;
import javax.management.JMX;
import javax.management.MBeanServer;
import javax.management.ObjectName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What JMX shows of Redis: as numbers, so that a monitoring system can alert on them. */
class ManagementOutageTest {

  private static final String RULES =
      "rules: [{ name: all, match: /**, subject: global, limits: [2 per hour] }]\n";

  @SuppressWarnings("NullAway.Init") // by JUnit
  @TempDir
  private Path directory;

  private static WeirMXBean beanOf(LiveFile file) throws Exception {
    MBeanServer server = ManagementFactory.getPlatformMBeanServer();
    ObjectName name = new ObjectName("dev.weir:type=Weir,name=\"" + file.path + "\",*");
    return JMX.newMXBeanProxy(
        server, server.queryNames(name, null).iterator().next(), WeirMXBean.class);
  }

  @Test
  void an_outage_is_seen_in_numbers() throws Exception {
    try (RedisServer redis = RedisServer.start(RedisVersion.newest())) {
      LiveFile file =
          new LiveFile(
              directory,
              "application: seen\nnodes: 3\nredis: { uri: '%s', deadline: 2s }\n"
                      .formatted(redis.uri())
                  + RULES);
      try (Weir weir = file.open()) {
        WeirMXBean bean = beanOf(file);
        await().until(() -> weir.status().redis().orElseThrow().clockSkew().isPresent());
        Weirs.passing(weir, 3, () -> FakeRequest.get("/a"));
        assertThat(bean.getDecisions().get("all"))
            .containsEntry("allowed redis", 2L)
            .containsEntry("denied redis", 1L)
            .containsEntry("allowed local", 0L);
        assertThat(bean.getPrimariesOut()).isZero();
        assertThat(bean.getPrimaries())
            .isEqualTo(Map.of("closed", 1L, "open", 0L, "half_open", 0L));
        assertThat(bean.getStoreSwitches()).isEqualTo(Map.of("local", 0L, "redis", 0L));
        assertThat(bean.getStoreSince()).isEqualTo(Date.from(Instant.EPOCH));
        assertThat(bean.getCalls()).isGreaterThanOrEqualTo(3);
        assertThat(bean.getBatches()).isPositive();
        assertThat(bean.getRoundTripMicros()).isPositive();
        assertThat(bean.getClockSkewMillis()).isBetween(-100.0, 100.0);
        assertThat(bean.getNodesReckoned()).isEqualTo(3);
        assertThat(bean.getNodesLost()).isZero();
        redis.freeze();
        await().until(() -> Objects.equals(bean.getPrimariesOut(), 1));
        await().until(() -> bean.getStoreSwitches().equals(Map.of("local", 1L, "redis", 0L)));
        assertThat(bean.getStoreSince()).isCloseTo(Date.from(Instant.now()), 60_000);
        await().until(() -> bean.getProbes().getOrDefault("failed", 0L) > 0);
        redis.thaw();
        await().until(() -> bean.getStoreSwitches().getOrDefault("redis", 0L) == 1);
        assertThat(bean.getPrimariesOut()).isZero();
        assertThat(bean.getProbes().get("succeeded")).isPositive();
      }
    }
  }

  @Test
  void without_redis_there_are_no_numbers_of_it() throws Exception {
    LiveFile file = new LiveFile(directory, RULES);
    try (Weir weir = file.open()) {
      WeirMXBean bean = beanOf(file);
      Weirs.passing(weir, 1, () -> FakeRequest.get("/a"));
      assertThat(bean.getPrimariesOut()).isNull();
      assertThat(bean.getStoreSince()).isNull();
      assertThat(bean.getClockSkewMillis()).isNull();
      assertThat(bean.getPrimaries()).isEmpty();
      assertThat(bean.getStoreSwitches()).isEmpty();
      assertThat(bean.getProbes()).isEmpty();
      assertThat(bean.getLocalCounters()).isEqualTo(1);
      assertThat(bean.getMaxLocalCounters()).isEqualTo(100_000);
      assertThat(bean.getNodesReckoned()).isEqualTo(1);
    }
  }
}
