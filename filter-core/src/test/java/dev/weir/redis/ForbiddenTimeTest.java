package dev.weir.redis;

import static dev.weir.fixture.AcquireRequests.charge;
import static dev.weir.fixture.AcquireRequests.request;
import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.fixture.LogCapture;
import dev.weir.fixture.SideBySide;
import dev.weir.redis.RedisStatus.Breaker;
import dev.weir.store.AcquireRequest.Charge;
import dev.weir.store.StoreUnavailableException;
import dev.weir.store.Subject;
import java.time.Duration;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;

/** A server on which no decision script can run by the server's clock is out, and says why. */
@SideBySide
class ForbiddenTimeTest {

  private static final Subject ALICE = Subject.of("user", "alice");
  private static final String UNKNOWN = "Unknown Redis command called from script";

  private final Recorder received = new Recorder();

  @Test
  void a_server_that_lets_no_script_write_after_time_is_out_and_the_log_names_the_cure() {
    try (RedisServer server =
        RedisServer.start(RedisVersion.embedded(), "--lua-replicate-commands", "no")) {
      assertOutWithTheCure(server.uri());
      assertThat(decidesByNodeTime(server)).isTrue();
    }
  }

  @Test
  void so_is_one_that_does_not_know_time() {
    try (RedisServer server =
        RedisServer.start(RedisVersion.newest(), "--rename-command", "TIME", "")) {
      assertOutWithTheCure(server.uri());
      assertThat(decidesByNodeTime(server)).isTrue();
    }
  }

  @Test
  void and_one_that_refuses_it_in_scripts() {
    try (RedisServer server =
            RedisServer.start(RedisVersion.newest(), "--rename-command", "TIME", "");
        RewordingProxy proxy =
            new RewordingProxy(server.port(), UNKNOWN, "command is not allowed from script")) {
      assertOutWithTheCure("redis://127.0.0.1:" + proxy.port());
    }
  }

  private void assertOutWithTheCure(String uri) {
    try (LogCapture log = new LogCapture(RedisLimitStore.class);
        RedisLimitStore store = connect(uri, RedisOptions.Clock.REDIS)) {
      Awaitility.await().until(() -> !decides(store, 0) && !store.isHealthy());
      Awaitility.await().until(() -> log.text().contains("is out"));
      assertThat(log.text()).contains("clock: node").contains("ahead");
      assertThat(log.text()).doesNotContain("which is a bug");
      assertThat(trouble(store)).contains("clock: node");
    }
  }

  /** It is out once decisions over three counters have failed, whatever the words. */
  @Test
  void one_that_refuses_all_decisions_for_a_reason_that_is_not_known_is_out() {
    try (RedisServer server =
            RedisServer.start(RedisVersion.newest(), "--rename-command", "TIME", "");
        RewordingProxy proxy = new RewordingProxy(server.port(), UNKNOWN, "not today");
        RedisLimitStore store =
            connect("redis://127.0.0.1:" + proxy.port(), RedisOptions.Clock.REDIS)) {
      Awaitility.await().until(() -> !received.errors.isEmpty() || !decides(store, 0));
      Awaitility.await()
          .until(
              () -> {
                for (int i = 0; i < 3; i++) {
                  assertThat(decides(store, i)).isFalse();
                }
                return !store.isHealthy();
              });
      assertThat(store.status().primaries().get(0).breaker()).isNotEqualTo(Breaker.CLOSED);
      assertThat(trouble(store)).contains("not today");
    }
  }

  /** A state that breaks our scripts is a bug, and says nothing about the primary. */
  @Test
  void one_that_decides_another_counter_is_not() {
    try (RedisServer server =
            RedisServer.start(RedisVersion.newest(), "--rename-command", "ZRANGE", "");
        RewordingProxy proxy = new RewordingProxy(server.port(), UNKNOWN, "not today");
        RedisLimitStore store =
            connect("redis://127.0.0.1:" + proxy.port(), RedisOptions.Clock.REDIS)) {
      Awaitility.await().until(() -> Load.decides(store));
      for (int i = 0; i < 50; i++) {
        assertThat(decides(store, charge("held" + i, "2 concurrent, ttl 1h", ALICE, 1))).isFalse();
      }
      assertThat(decides(store, 0)).isTrue();
      assertThat(store.isHealthy()).isTrue();
      assertThat(received.switches).isEmpty();
    }
  }

  private static String trouble(RedisLimitStore store) {
    return store.status().primaries().get(0).trouble().orElse("");
  }

  private boolean decidesByNodeTime(RedisServer server) {
    try (RedisLimitStore store = connect(server.uri(), RedisOptions.Clock.NODE)) {
      Awaitility.await().until(() -> decides(store, 0));
      return store.isHealthy();
    }
  }

  private static boolean decides(RedisLimitStore store, int number) {
    return decides(store, charge("bucket" + number, "100 per 30 days", ALICE, 1));
  }

  private static boolean decides(RedisLimitStore store, Charge charge) {
    try {
      store.decide(request(charge));
      return true;
    } catch (StoreUnavailableException undecided) {
      return false;
    }
  }

  private RedisLimitStore connect(String uri, RedisOptions.Clock clock) {
    RedisOptions options = RedisOptions.of(uri, "time").withDeadline(Duration.ofSeconds(2));
    return RedisLimitStore.connect(options.withClock(clock), received);
  }
}
