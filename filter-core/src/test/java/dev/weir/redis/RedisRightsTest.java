package dev.weir.redis;

import static dev.weir.fixture.AcquireRequests.charge;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.weir.fixture.AcquireRequests;
import dev.weir.fixture.LogCapture;
import dev.weir.store.AcquireRequest;
import dev.weir.store.AcquireRequest.Charge;
import dev.weir.store.Decision;
import dev.weir.store.StoreUnavailableException;
import dev.weir.store.StoreUnavailableException.Kind;
import dev.weir.store.Subject;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.logging.LogRecord;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.MethodSource;
import redis.clients.jedis.Jedis;
import redis.clients.jedis.exceptions.JedisDataException;

/** A missing right disables what needs it, with one warning, and nothing else. */
@ParameterizedClass(name = "{0}")
@MethodSource("dev.weir.redis.RedisVersion#tested")
class RedisRightsTest {

  @Parameter RedisVersion version = RedisVersion.embedded();

  private final Recorder received = new Recorder();
  private final Subject alice = Subject.of("user", "alice");
  private final Charge held = charge("held", "2 concurrent, ttl 1h", alice, 1);

  @Test
  void without_sorted_sets_all_but_concurrency_limits_are_decided() {
    try (LogCapture log = new LogCapture(RedisLimitStore.class);
        RedisServer server = RedisServer.start(version)) {
      restrict(server, "-@sortedset");
      try (RedisLimitStore store = connect(server.uri())) {
        Awaitility.await().until(() -> Load.decides(store));
        for (int i = 0; i < 20; i++) {
          assertThatThrownBy(() -> store.decide(AcquireRequests.request(held)))
              .isInstanceOfSatisfying(
                  StoreUnavailableException.class,
                  e -> assertThat(e.kind()).isEqualTo(Kind.FAILED));
        }
        Awaitility.await().until(() -> warnings(log, "'decide'").size() == 1);
        Awaitility.await().until(() -> warnings(log, "'heartbeat'").size() == 1);
        assertThat(AcquireRequests.decide(store, bucket(0)).allowed()).isTrue();
        assertThat(store.isHealthy()).isTrue();
        assertThat(received.switches).isEmpty();
      }
    }
  }

  @Test
  void decisions_that_share_a_batch_with_a_refused_one_are_made_once() {
    try (RedisServer server = RedisServer.start(version)) {
      restrict(server, "-@sortedset");
      try (RedisLimitStore store = connect(server.uri())) {
        Awaitility.await().until(() -> Load.decides(store));
        List<AcquireRequest> requests = new ArrayList<>();
        for (int i = 0; i < 6; i++) {
          requests.add(AcquireRequests.request(bucket(i)));
          requests.add(AcquireRequests.request(held));
        }
        List<CompletableFuture<Decision.Counted>> answers = Gathering.at(server, store, requests);
        for (int i = 0; i < 6; i++) {
          assertThat(answers.get(2 * i).join().allowed()).isTrue();
          assertThat(answers.get(2 * i + 1)).failsWithin(Duration.ofSeconds(5));
          assertThat(AcquireRequests.peek(store, bucket(i)).binding().remaining()).isEqualTo(9);
        }
      }
    }
  }

  /** A server that does not know a command of concurrency limits, and says so in its own words. */
  @Test
  void a_decision_that_fails_in_a_batch_for_another_reason_is_no_missing_right() {
    try (LogCapture log = new LogCapture(RedisLimitStore.class);
        RedisServer server = RedisServer.start(version, "--rename-command", "ZRANGE", "");
        RewordingProxy proxy =
            new RewordingProxy(server.port(), "Unknown Redis command", "not today");
        RedisLimitStore store = connect("redis://127.0.0.1:" + proxy.port())) {
      Awaitility.await().until(() -> Load.decides(store));
      gather(server, store);
      Awaitility.await().until(() -> log.text().contains("not today"));
      Awaitility.await()
          .during(Duration.ofSeconds(1)) // many times what a write takes
          .until(() -> !log.text().contains("right"));
      assertThat(log.text()).contains("which is a bug");
      assertThat(received.switches).isEmpty();
    }
  }

  @Test
  void a_server_that_writes_nothing_of_a_batch_is_out_and_says_why() {
    try (LogCapture log = new LogCapture(RedisLimitStore.class);
        RedisServer server = RedisServer.start(version);
        RedisLimitStore store = connect(server.uri());
        Jedis redis = server.client()) {
      Awaitility.await().until(() -> Load.decides(store));
      redis.configSet("maxmemory", "1");
      gather(server, store);
      Awaitility.await().until(() -> log.text().contains("is out"));
      assertThat(log.text()).contains("OOM").doesNotContain("right");
    }
  }

  /** Decides over both kinds of limits in one batch, and waits for the answers. */
  private void gather(RedisServer server, RedisLimitStore store) {
    List<AcquireRequest> requests = new ArrayList<>();
    for (int i = 0; i < 6; i++) {
      requests.add(AcquireRequests.request(bucket(i)));
      requests.add(AcquireRequests.request(held));
    }
    Gathering.at(server, store, requests)
        .forEach(each -> each.handle((decision, failure) -> 0).join());
  }

  /**
   * What a script did before the refused command stays done: to send it again would do it twice.
   */
  @Test
  void a_refund_that_is_refused_half_way_is_not_sent_again() {
    try (RedisServer server = RedisServer.start(version)) {
      restrict(server, "-zrem");
      try (RedisLimitStore store = connect(server.uri(), Duration.ofMillis(300))) {
        Awaitility.await().until(() -> Load.decides(store));
        assertThat(AcquireRequests.decide(store, bucket(0), bucket(1)).allowed()).isTrue();
        Decision.Counted granted = AcquireRequests.decide(store, bucket(0), held);
        assertThatThrownBy(() -> AcquireRequests.refund(store, granted))
            .hasRootCauseInstanceOf(JedisDataException.class);
        Awaitility.await()
            .during(Duration.ofSeconds(2)) // several times the delay before it would be
            .until(() -> AcquireRequests.peek(store, bucket(0)).binding().remaining() == 9);
      }
    }
  }

  @Test
  void without_cluster_nodes_any_view_is_believed() {
    try (LogCapture log = new LogCapture(RedisLimitStore.class);
        RedisServers cluster = RedisServers.cluster(version, 2)) {
      cluster.all().forEach(server -> restrict(server, "-cluster", "+cluster|slots"));
      try (RedisLimitStore store = connect(cluster.uri())) {
        Awaitility.await().until(() -> Load.decides(store));
        Awaitility.await().until(() -> store.status().primaries().size() == 2);
        Awaitility.await().until(() -> warnings(log, "CLUSTER NODES").size() == 1);
      }
    }
  }

  private static void restrict(RedisServer server, String... rights) {
    try (Jedis redis = server.client()) {
      redis.aclSetUser("default", rights);
    }
  }

  private Charge bucket(int number) {
    return charge("bucket" + number, "10 per 30 days", alice, 1);
  }

  private RedisLimitStore connect(String uri) {
    return connect(uri, Duration.ofSeconds(40));
  }

  private RedisLimitStore connect(String uri, Duration deadline) {
    return RedisLimitStore.connect(RedisOptions.of(uri, "rights").withDeadline(deadline), received);
  }

  private static List<LogRecord> warnings(LogCapture log, String what) {
    return log.records().stream()
        .filter(record -> List.of(record.getParameters()).toString().contains(what))
        .toList();
  }
}
