package dev.weir.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.weir.fixture.Alone;
import dev.weir.fixture.FreePorts;
import dev.weir.fixture.LogCapture;
import dev.weir.fixture.TestRun;
import dev.weir.store.Source;
import dev.weir.store.StoreUnavailableException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.logging.Level;
import java.util.logging.LogRecord;
import java.util.stream.Stream;
import org.awaitility.Awaitility;
import org.awaitility.core.ThrowingRunnable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.MethodSource;
import redis.clients.jedis.Jedis;

/** A store while Redis is gone, frozen or unable to write, and after it has come back. */
@Alone
@ParameterizedClass(name = "{0}")
@MethodSource("places")
class RedisOutageTest {

  /** A Redis, and how long its replies are on the way. */
  record Place(RedisVersion version, Duration roundTrip) {
    @Override
    public String toString() {
      return version + ", " + roundTrip.toMillis() + " ms away";
    }
  }

  static Stream<Place> places() {
    Stream<Place> near =
        RedisVersion.tested().stream().map(version -> new Place(version, Duration.ZERO));
    Stream<Place> far = Stream.of(new Place(RedisVersion.newest(), Duration.ofMillis(20)));
    return TestRun.isFull() ? Stream.concat(near, far) : near;
  }

  private static final Duration DEADLINE = Duration.ofMillis(100);

  /** How often a stall of 60 % of the deadline is judged. */
  private static final int STALLS = TestRun.pick(6, 20);

  /** The promise is 20 ms; a shared machine with two cores may be late by itself. */
  private static final Duration LATEST = DEADLINE.plusMillis(300);

  @Parameter Place place = new Place(RedisVersion.embedded(), Duration.ZERO);

  private final Recorder received = new Recorder();

  @SuppressWarnings("NullAway.Init") // started before each test
  private RedisServer server;

  private Optional<FarRedis> far = Optional.empty();

  @SuppressWarnings("NullAway.Init") // connected before each test
  private RedisLimitStore store;

  @BeforeEach
  void start() {
    server = RedisServer.start(place.version());
    if (!place.roundTrip().isZero()) {
      far = Optional.of(FarRedis.before(server, place.roundTrip()));
    }
    store = connect(uri());
    awaitDecisions();
  }

  @AfterEach
  void stop() {
    store.close();
    far.ifPresent(FarRedis::close);
    server.close();
  }

  @Test
  void a_frozen_redis_keeps_none_of_64_threads_beyond_the_deadline() throws Exception {
    Load.storm(store, 64, 20, DEADLINE);
    server.freeze();
    try {
      List<Load.Replied> answers = Load.storm(store, 64, 3, DEADLINE);
      assertThat(answers).hasSize(192).allMatch(answer -> answer.decision().isEmpty());
      assertThat(Load.longest(answers)).isLessThan(LATEST);
      awaitReport(() -> assertThat(received.switches).last().isEqualTo(Source.LOCAL));
    } finally {
      server.thaw();
    }
    awaitRecovery();
  }

  /**
   * A wait of 60 ms and a deadline of 100 ms, both ten times as long. A stall that became longer,
   * because this machine was busy, is not judged. The time on the way is a part of the wait, so
   * that the time left is the same from afar.
   */
  @Test
  void a_redis_that_is_waited_for_60_percent_of_the_deadline_is_not_out() {
    Duration deadline = DEADLINE.multipliedBy(10);
    Duration frozen = deadline.multipliedBy(60).dividedBy(100).minus(place.roundTrip());
    Duration longest = frozen.plus(deadline.dividedBy(10));
    store.close();
    received.switches.clear();
    store = RedisLimitStore.connect(options(uri()).withDeadline(deadline), received);
    awaitDecisions();
    try (Callers callers =
        new Callers(
            List.of(store), 8, requested -> Load.once(requested, deadline.multipliedBy(10)))) {
      for (int judged = 0; judged < STALLS; ) {
        Duration stalled = stall(callers, frozen);
        if (stalled.compareTo(longest) <= 0) {
          callers.during(Duration.ofMillis(60));
          assertThat(received.switches).isEmpty();
          assertThat(store.isHealthy()).isTrue();
          judged++;
        } else {
          callers.during(deadline);
          Awaitility.await().until(store::isHealthy);
          received.switches.clear();
        }
      }
      assertThat(callers.decided()).isPositive();
    }
    assertThat(received.switches).isEmpty();
  }

  /** Freezes the server for this time. Returns the time that it was frozen for at most. */
  private Duration stall(Callers callers, Duration frozen) {
    long beganNanos = System.nanoTime();
    server.freeze();
    callers.during(frozen);
    server.thaw();
    return Duration.ofNanos(System.nanoTime() - beganNanos);
  }

  @Test
  void an_open_breaker_answers_at_once_and_names_the_next_probe() {
    server.kill();
    awaitOutage();
    List<Duration> took =
        Stream.generate(() -> Load.once(store, DEADLINE).took()).limit(10_000).sorted().toList();
    assertThat(took.get(9_900)).isLessThan(Duration.ofMillis(1));
    assertThatThrownBy(() -> store.decide(Load.request(DEADLINE)))
        .isInstanceOfSatisfying(
            StoreUnavailableException.class,
            gone ->
                assertThat(gone.nextProbe())
                    .isBetween(Duration.ofMillis(1), Duration.ofMillis(601)));
  }

  @Test
  void a_redis_that_was_killed_and_started_again_decides_within_three_seconds() {
    server.kill();
    awaitOutage();
    assertThat(store.isHealthy()).isFalse();
    server.restart();
    awaitRecovery();
    awaitReport(
        () -> assertThat(received.switches).containsSubsequence(Source.LOCAL, Source.REDIS));
    assertThat(received.probes).endsWith(true, true, true);
  }

  @Test
  void after_a_quick_restart_at_most_two_requests_meet_a_stale_connection() throws Exception {
    Load.storm(store, 16, 50, Duration.ofSeconds(1));
    server.kill();
    server.restart();
    int failed = 0;
    for (int i = 0; i < 50; i++) {
      failed += Load.decides(store) ? 0 : 1;
    }
    assertThat(failed).isBetween(1, 2);
  }

  @Test
  void a_redis_that_cannot_write_is_out_though_it_answers_a_ping() {
    try (Jedis redis = server.client()) {
      redis.configSet("maxmemory", "1");
      awaitOutage();
      assertThat(redis.ping()).isEqualTo("PONG");
      Awaitility.await().until(() -> received.probes.size() > 2);
      assertThat(received.probes).doesNotContain(true);
      assertThat(received.errors).isEmpty();
      redis.configSet("maxmemory", "0");
    }
    awaitRecovery();
  }

  @Test
  void a_replica_is_out_until_it_is_a_primary() {
    try (Jedis redis = server.client()) {
      redis.replicaof("127.0.0.1", FreePorts.next());
      awaitOutage();
      redis.replicaofNoOne();
    }
    awaitRecovery();
  }

  @Test
  void rights_that_were_taken_away_are_an_outage_and_reported_as_wrong_setup() {
    try (Jedis redis = server.client()) {
      redis.aclSetUser("default", "-set");
      awaitOutage();
      awaitReport(
          () ->
              assertThat(received.errors)
                  .isNotEmpty()
                  .allMatch(error -> error.contains("wrong set-up")));
      redis.aclSetUser("default", "+set");
    }
    awaitRecovery();
  }

  @Test
  void a_store_connects_at_once_while_redis_is_down_and_moves_to_it_when_it_comes() {
    server.kill();
    long beganNanos = System.nanoTime();
    try (RedisLimitStore late = connect(uri())) {
      assertThat(Duration.ofNanos(System.nanoTime() - beganNanos))
          .isLessThan(Duration.ofSeconds(1));
      assertThat(Load.once(late, DEADLINE).decision()).isEmpty();
      assertThat(late.awaitAnswer(Duration.ofMillis(10))).isFalse();
      server.restart();
      Awaitility.await().atMost(Duration.ofSeconds(3)).until(() -> Load.decides(late));
      assertThat(late.awaitAnswer(Duration.ofSeconds(5))).isTrue();
    }
  }

  @Test
  void each_transition_is_one_line_in_the_log_and_requests_are_none() {
    try (LogCapture log = new LogCapture(RedisLimitStore.class)) {
      server.kill();
      awaitOutage();
      awaitReport(() -> assertThat(log.records()).isNotEmpty());
      for (int i = 0; i < 100; i++) {
        Load.once(store, DEADLINE);
      }
      server.restart();
      awaitRecovery();
      awaitReport(
          () ->
              assertThat(log.records())
                  .extracting(LogRecord::getLevel)
                  .containsExactly(Level.WARNING, Level.INFO));
      assertThat(log.text()).containsPattern("decides again after [0-9.]+ s; 1[0-9]{2} requests");
    }
  }

  @Test
  void a_name_that_cannot_be_looked_up_keeps_nobody_beyond_the_deadline() {
    try (RedisLimitStore lost = connect("redis://no-such-host.invalid")) {
      assertThat(Load.once(lost, DEADLINE).took()).isLessThan(LATEST);
    }
  }

  private String uri() {
    return far.map(FarRedis::uri).orElseGet(server::uri);
  }

  private RedisLimitStore connect(String uri) {
    return RedisLimitStore.connect(options(uri), received);
  }

  private static RedisOptions options(String uri) {
    return RedisOptions.of(uri, "outage");
  }

  /** Waits for a report: it runs alongside the requests, so perhaps after them. */
  private static void awaitReport(ThrowingRunnable assertion) {
    Awaitility.await().untilAsserted(assertion);
  }

  private void awaitDecisions() {
    Awaitility.await().until(() -> Load.decides(store));
  }

  private void awaitOutage() {
    Awaitility.await()
        .pollInterval(Duration.ofMillis(5))
        .until(() -> Load.once(store, DEADLINE).decision().isEmpty() && !store.isHealthy());
  }

  private void awaitRecovery() {
    Awaitility.await()
        .atMost(Duration.ofSeconds(3))
        .pollInterval(Duration.ofMillis(10))
        .until(() -> store.isHealthy() && Load.decides(store));
  }
}
