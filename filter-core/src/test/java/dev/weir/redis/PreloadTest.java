package dev.weir.redis;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.redis.internal.client.Connector;
import dev.weir.redis.internal.script.Script;
import dev.weir.store.LimiterListener;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.MethodSource;
import redis.clients.jedis.Jedis;

/** No first decision is sent twice because the server does not know its script. */
@ParameterizedClass(name = "{0}")
@MethodSource("dev.weir.redis.RedisVersion#tested")
class PreloadTest {

  private static final Duration DEADLINE = Duration.ofSeconds(2);
  private static final List<String> NAMES = Connector.PRELOADED.stream().map(Script::sha1).toList();

  @Parameter RedisVersion version = RedisVersion.embedded();

  @SuppressWarnings("NullAway.Init") // started before each test
  private RedisServer server;

  @BeforeEach
  void start() {
    server = RedisServer.start(version);
  }

  @AfterEach
  void stop() {
    server.close();
  }

  @Test
  void a_server_knows_the_scripts_before_it_is_asked_for_a_decision() {
    try (RedisLimitStore store = connect()) {
      assertThat(store.awaitAnswer(Duration.ofSeconds(5))).isTrue();
      Awaitility.await().until(this::isLoaded);
    }
  }

  /** Seven answers, one after the other, would take longer than the deadline. */
  @Test
  void also_a_server_that_is_far_away() throws IOException {
    try (DripProxy proxy = new DripProxy(server.port())) {
      proxy.delay(DEADLINE.toMillis() / 6);
      try (RedisLimitStore store = connect("redis://127.0.0.1:" + proxy.port())) {
        assertThat(store.awaitAnswer(Duration.ofSeconds(5))).isTrue();
        Awaitility.await().until(this::isLoaded);
      }
    }
  }

  @Test
  void and_again_when_it_comes_back() {
    try (RedisLimitStore store = connect()) {
      Awaitility.await().until(this::isLoaded);
      server.kill();
      Awaitility.await().until(() -> !Load.decides(store) && !store.isHealthy());
      server.restart();
      Awaitility.await().until(store::isHealthy);
      assertThat(isLoaded()).isTrue();
    }
  }

  /** The scripts are 145 kB, which take longer there than a request may. */
  @Test
  void and_over_a_slow_line() throws IOException {
    try (DripProxy proxy = new DripProxy(server.port())) {
      proxy.throttle(1);
      RedisOptions options =
          RedisOptions.of("redis://127.0.0.1:" + proxy.port(), "preload")
              .withDeadline(Duration.ofMillis(100));
      try (RedisLimitStore store = RedisLimitStore.connect(options, LimiterListener.NONE)) {
        assertThat(store.awaitAnswer(Duration.ofSeconds(5))).isTrue();
        proxy.deafen(true);
        Awaitility.await().until(() -> !Load.decides(store) && !store.isHealthy());
        try (Jedis redis = server.client()) {
          redis.scriptFlush();
        }
        proxy.deafen(false);
        Awaitility.await().until(store::isHealthy);
        assertThat(isLoaded()).isTrue();
      }
    }
  }

  @Test
  void where_that_is_forbidden_decisions_are_made_all_the_same() {
    try (Jedis redis = server.client()) {
      redis.aclSetUser("default", "-script");
    }
    try (RedisLimitStore store = connect()) {
      Awaitility.await().until(() -> Load.decides(store));
      assertThat(store.isHealthy()).isTrue();
    }
    try (Jedis redis = server.client()) {
      redis.aclSetUser("default", "+script");
    }
    assertThat(isLoaded()).isFalse();
  }

  private RedisLimitStore connect() {
    return connect(server.uri());
  }

  private static RedisLimitStore connect(String uri) {
    RedisOptions options = RedisOptions.of(uri, "preload").withDeadline(DEADLINE);
    return RedisLimitStore.connect(options, LimiterListener.NONE);
  }

  private boolean isLoaded() {
    try (Jedis redis = server.client()) {
      return !redis.scriptExists(NAMES.toArray(String[]::new)).contains(false);
    }
  }
}
