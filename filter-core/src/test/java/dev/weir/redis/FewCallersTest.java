package dev.weir.redis;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import redis.clients.jedis.Jedis;
import redis.clients.jedis.params.ClientKillParams;

/** Two or three calls at a time have a connection each; more share one. */
class FewCallersTest {

  /** The connections to a primary: the shared one, and the dedicated ones. */
  static final int MOST = 3;

  private static final Duration DEADLINE = Duration.ofSeconds(2);

  private final RedisServer server = RedisServer.start(RedisVersion.newest());
  private final Jedis redis = server.client();
  private final Recorder received = new Recorder();

  @SuppressWarnings("NullAway.Init") // connected before each test
  private RedisLimitStore store;

  @BeforeEach
  void connect() {
    store =
        RedisLimitStore.connect(
            RedisOptions.of(server.uri(), "few").withDeadline(DEADLINE), received);
    assertThat(store.awaitAnswer(DEADLINE)).isTrue();
  }

  @AfterEach
  void close() {
    store.close();
    redis.close();
    server.close();
  }

  /** Returns whether all calls were answered, so many at a time. */
  private boolean allDecided(int together) throws InterruptedException {
    List<Load.Replied> answers = Load.storm(store, together, 100, DEADLINE);
    return answers.stream().allMatch(answer -> answer.decision().isPresent());
  }

  private int connections() {
    return ids().size();
  }

  /** Returns the connections of the store, the oldest first. */
  private List<String> ids() {
    long own = redis.clientId();
    return redis
        .clientList()
        .lines()
        .map(client -> client.substring("id=".length(), client.indexOf(' ')))
        .filter(id -> !id.equals(Long.toString(own)))
        .toList();
  }

  private void openAll() {
    Awaitility.await().until(() -> allDecided(3) && connections() == MOST);
  }

  @Test
  void a_connection_is_opened_for_the_second_and_the_third_and_for_no_more() throws Exception {
    openAll();
    assertThat(allDecided(40)).isTrue();
    assertThat(connections()).isEqualTo(MOST);
    assertThat(received.switches).isEmpty();
  }

  @Test
  void where_Redis_lets_in_no_more_they_share_one() throws Exception {
    redis.configSet("maxclients", "2"); // ours, and the existing one
    for (int i = 0; i < 10; i++) {
      assertThat(allDecided(3)).isTrue();
    }
    assertThat(connections()).isEqualTo(1);
    assertThat(received.switches).isEmpty();
    assertThat(received.errors).isEmpty();
  }

  /** The primary is not out: it answers on the shared connection. */
  @Test
  void one_that_hangs_fails_its_own_calls_and_is_no_outage() throws Exception {
    Duration deadline = Duration.ofMillis(200);
    try (DripProxy proxy = new DripProxy(server.port())) {
      String uri = "redis://127.0.0.1:" + proxy.port();
      RedisOptions options = RedisOptions.of(uri, "few").withDeadline(deadline);
      try (RedisLimitStore behind = RedisLimitStore.connect(options, received)) {
        assertThat(behind.awaitAnswer(DEADLINE)).isTrue();
        Awaitility.await()
            .until(
                () -> {
                  Load.storm(behind, 3, 100, deadline);
                  return proxy.connections() == MOST;
                });
        proxy.deafenButForFirst();
        assertThat(Load.storm(behind, 3, 100, deadline))
            .anyMatch(answer -> answer.decision().isEmpty());
        assertThat(Load.decides(behind)).isTrue();
        assertThat(received.switches).isEmpty();
      }
    }
  }

  @Test
  void after_an_outage_no_call_meets_a_connection_from_before() throws Exception {
    openAll();
    server.kill();
    Awaitility.await().until(() -> !Load.decides(store) && !store.isHealthy());
    server.restart();
    Awaitility.await().until(() -> Load.decides(store));
    for (int i = 0; i < 10; i++) {
      assertThat(allDecided(3)).isTrue();
    }
  }

  @Test
  void where_the_shared_one_is_replaced_the_others_are() throws Exception {
    openAll();
    List<String> before = ids();
    redis.clientKill(ClientKillParams.clientKillParams().id(before.get(0)));
    Awaitility.await().until(() -> Load.decides(store));
    openAll();
    assertThat(ids()).doesNotContainAnyElementsOf(before);
  }

  /** As a name does, or a virtual address, while the connections to the old server stay open. */
  @Test
  void where_the_address_leads_to_another_server_by_now_no_call_goes_there() throws Exception {
    try (RedisServer other = RedisServer.start(RedisVersion.newest());
        DripProxy proxy = new DripProxy(server.port())) {
      RedisOptions options =
          RedisOptions.of("redis://127.0.0.1:" + proxy.port(), "few").withDeadline(DEADLINE);
      try (RedisLimitStore moved = RedisLimitStore.connect(options, received)) {
        assertThat(moved.awaitAnswer(DEADLINE)).isTrue();
        proxy.leadTo(other.port());
        Awaitility.await()
            .until(
                () -> {
                  Load.storm(moved, 3, 100, DEADLINE);
                  return proxy.connections() == MOST;
                });
        assertThat(Load.storm(moved, 3, 500, DEADLINE))
            .allMatch(answer -> answer.decision().isPresent());
        assertThat(other.calls("evalsha")).isZero();
      }
    }
  }

  @Test
  void where_Redis_does_not_say_which_server_it_is_they_share_one() throws Exception {
    redis.aclSetUser("default", "-info");
    try (RedisLimitStore uncertain =
        RedisLimitStore.connect(RedisOptions.of(server.uri(), "few"), received)) {
      assertThat(uncertain.awaitAnswer(DEADLINE)).isTrue();
      store.close();
      for (int i = 0; i < 10; i++) {
        Load.storm(uncertain, 3, 100, DEADLINE);
      }
      assertThat(connections()).isEqualTo(1);
    }
  }
}
