package dev.weir.redis;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.fixture.LogCapture;
import dev.weir.store.LimiterListener;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.logging.Level;
import java.util.logging.LogRecord;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import redis.clients.jedis.Jedis;

/** What harms limits or their data in the set-up of a Redis that works is one warning. */
class ServerAdviceTest {

  private static final String[] EVICTING = {
    "--maxmemory", "100mb", "--maxmemory-policy", "allkeys-lru"
  };

  private final LogCapture log = new LogCapture(RedisLimitStore.class);

  @AfterEach
  void release() {
    log.close();
  }

  @Test
  void a_server_that_evicts_keys_is_one_warning_through_all_connections() {
    try (RedisServer server = RedisServer.start(RedisVersion.newest(), EVICTING);
        RedisLimitStore store = connect(server.uri())) {
      Awaitility.await().until(() -> warnings().size() == 1);
      assertThat(warnings().get(0))
          .contains(":" + server.port())
          .contains("by maxmemory-policy allkeys-lru")
          .contains("Set maxmemory-policy noeviction");
      server.kill();
      Awaitility.await().until(() -> !store.isHealthy());
      server.restart();
      Awaitility.await().until(() -> Load.decides(store));
    }
    assertThat(warnings()).filteredOn(line -> line.contains("evicts")).hasSize(1);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "--maxmemory 100mb", // noeviction is the default
        "--maxmemory 0 --maxmemory-policy allkeys-lru",
      })
  void a_server_that_evicts_nothing_is_no_warning(String options) {
    String[] arguments =
        Arrays.stream(options.split(" ")).filter(it -> !it.isEmpty()).toArray(String[]::new);
    try (RedisServer server = RedisServer.start(RedisVersion.newest(), arguments);
        RedisLimitStore store = connect(server.uri())) {
      assertThat(store.awaitAnswer()).isTrue();
      assertThat(Load.decides(store)).isTrue();
    }
    assertThat(warnings()).isEmpty();
  }

  @Test
  void a_server_that_does_not_say_is_no_warning() {
    try (RedisServer server = RedisServer.start(RedisVersion.newest(), EVICTING)) {
      try (Jedis redis = server.client()) {
        redis.aclSetUser("default", "-info");
      }
      try (RedisLimitStore store = connect(server.uri())) {
        Awaitility.await().until(() -> Load.decides(store));
      }
    }
    assertThat(warnings()).isEmpty();
  }

  @Test
  void a_public_address_without_tls_is_one_warning() {
    try (RedisLimitStore store = connect("redis://192.0.2.1:6379")) {
      Awaitility.await().until(() -> !plainText().isEmpty());
      Awaitility.await().until(() -> !store.isHealthy());
    }
    assertThat(plainText())
        .singleElement()
        .asString()
        .contains("192.0.2.1 is public")
        .contains("starts with rediss");
  }

  @Test
  void with_tls_it_is_none() {
    try (RedisLimitStore store = connect("rediss://192.0.2.1:6379")) {
      Awaitility.await().until(() -> !store.isHealthy());
    }
    assertThat(plainText()).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(longs = {-5_000, -1_500, 1_500, 5_000})
  void a_clock_that_differs_by_more_than_a_second_is_one_warning(long millis) {
    try (RedisServer server = RedisServer.start(RedisVersion.newest());
        RedisLimitStore store = connect(server.uri(), millis)) {
      Awaitility.await().until(() -> store.status().clockSkew().isPresent());
    }
    assertThat(warnings())
        .singleElement()
        .asString()
        .contains(millis > 0 ? "behind that of this node" : "ahead of that of this node")
        .contains("Let NTP set both clocks");
  }

  @ParameterizedTest
  @ValueSource(longs = {-500, 0, 500})
  void a_smaller_difference_is_none(long millis) {
    try (RedisServer server = RedisServer.start(RedisVersion.newest());
        RedisLimitStore store = connect(server.uri(), millis)) {
      Awaitility.await().until(() -> store.status().clockSkew().isPresent());
    }
    assertThat(warnings()).isEmpty();
  }

  private static RedisLimitStore connect(String uri) {
    return connect(uri, 0);
  }

  private static RedisLimitStore connect(String uri, long aheadMillis) {
    return RedisLimitStore.connect(
        RedisOptions.of(uri, "advice").withDeadline(Duration.ofSeconds(2)),
        LimiterListener.NONE,
        () -> Instant.now().plusMillis(aheadMillis));
  }

  private List<String> plainText() {
    return warnings().stream().filter(line -> line.contains("has no TLS")).toList();
  }

  private List<String> warnings() {
    return log.records().stream()
        .filter(record -> record.getLevel().equals(Level.WARNING))
        .map(ServerAdviceTest::text)
        .filter(line -> !line.contains("keeps the address"))
        .toList();
  }

  private static String text(LogRecord record) {
    return record.getParameters() == null
        ? record.getMessage()
        : record.getMessage() + List.of(record.getParameters());
  }
}
