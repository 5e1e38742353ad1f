package dev.weir.redis;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.fixture.FreePorts;
import dev.weir.store.LimiterListener;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** How long an application that starts waits for each kind of Redis. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@Execution(ExecutionMode.CONCURRENT) // they mostly wait
class AwaitAnswerTest {

  private static final Duration LONG = Duration.ofMinutes(1);
  private static final Duration MUCH_LESS = Duration.ofSeconds(20);

  @SuppressWarnings("NullAway.Init") // generated before all tests
  private TlsFiles files;

  @BeforeAll
  void generate() throws IOException {
    files = TlsFiles.ofThisMachine();
  }

  @AfterAll
  void delete() throws IOException {
    files.close();
  }

  @ParameterizedTest
  @MethodSource("dev.weir.redis.ServersByScheme#schemes")
  void it_waits_for_a_redis_that_answers_and_until_each_primary_is_connected(String scheme) {
    try (RedisServers servers = ServersByScheme.start(scheme, RedisVersion.newest(), files);
        RedisLimitStore node = connect(options(servers.uri()));
        RedisLimitStore observer = connect(options(servers.uri()).asObserver())) {
      for (RedisLimitStore store : List.of(node, observer)) {
        assertThat(store.awaitAnswer(LONG)).isTrue();
        assertThat(store.isHealthy()).isTrue();
        assertThat(store.status().primaries())
            .hasSize(scheme.endsWith("cluster") ? 3 : 1)
            .allMatch(primary -> primary.window() > 0);
      }
    }
  }

  @ParameterizedTest
  @MethodSource("dev.weir.redis.ServersByScheme#schemes")
  void it_does_not_wait_for_a_redis_that_refuses_connections(String scheme) {
    assertUnanswered(scheme, FreePorts.next());
  }

  @ParameterizedTest
  @MethodSource("dev.weir.redis.ServersByScheme#schemes")
  void it_waits_for_a_silent_redis_no_longer_than_a_connection_may_take(String scheme)
      throws IOException {
    try (ServerSocket silent = new ServerSocket(0, 50, InetAddress.getLoopbackAddress())) {
      assertUnanswered(scheme, silent.getLocalPort());
    }
  }

  private void assertUnanswered(String scheme, int port) {
    String uri = scheme + "://127.0.0.1:" + port + (scheme.endsWith("sentinel") ? "/main" : "");
    try (RedisLimitStore store = connect(options(uri))) {
      long beganNanos = System.nanoTime();
      assertThat(store.awaitAnswer(LONG)).isFalse();
      assertThat(Duration.ofNanos(System.nanoTime() - beganNanos)).isLessThan(MUCH_LESS);
    }
  }

  private RedisOptions options(String uri) {
    return RedisOptions.of(uri, "starting").withSslContext(files.trust());
  }

  private static RedisLimitStore connect(RedisOptions options) {
    return RedisLimitStore.connect(options, LimiterListener.NONE);
  }
}
