package dev.weir.redis.internal.client;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.limit.Limit;
import dev.weir.redis.RedisServer;
import dev.weir.redis.RedisVersion;
import dev.weir.redis.internal.client.PrimarySettings.UnsettledCalls;
import dev.weir.redis.internal.script.Commands;
import dev.weir.redis.internal.script.Operation;
import dev.weir.redis.internal.script.ScriptCall;
import dev.weir.store.Deadline;
import dev.weir.store.LimiterListener;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import redis.clients.jedis.Jedis;
import redis.clients.jedis.exceptions.JedisConnectionException;
import redis.clients.jedis.exceptions.JedisException;

/** Which of two connections to a primary survives. */
class PrimaryConnectionTest {

  private static final Duration DEADLINE = Duration.ofSeconds(20);
  private static final Duration HASTE = Duration.ofSeconds(1);

  private final JedisException failure = new JedisConnectionException("planted");

  private final RedisServer server = RedisServer.start(RedisVersion.newest());
  private final Host address = new Host("127.0.0.1", server.port());
  private final SocketTimer timer = new SocketTimer("weir-redis-test-timer", LimiterListener.NONE);
  private final Reports reports = new Reports(LimiterListener.NONE);
  private final Connector connector =
      new Connector(
          Access.plain(RedisConnection.Login.NONE),
          "weir-test",
          timer,
          DEADLINE,
          reports,
          new Sharding(Optional.empty(), reports));
  private final Background background = new Background("weir-redis-test", 1, LimiterListener.NONE);
  private final List<JedisException> unusable = new ArrayList<>();
  private final ScriptCall write = write();
  private Runnable onUnknown = () -> {};
  private final PrimaryConnection connection = connection(DEADLINE);
  private final StallWatch watch = new StallWatch(connection, DEADLINE);

  @BeforeEach
  void open() {
    connection.open();
    Awaitility.await().until(() -> connection.pipeline() != null);
  }

  @AfterEach
  void close() {
    connection.close();
    background.close();
    timer.close();
    server.close();
  }

  @Test
  void a_dialled_connection_does_not_replace_one_that_came_meanwhile() {
    assertTheProbesSurvives(() -> connection.lost(current(), failure));
  }

  @Test
  void a_reopened_connection_does_not_replace_one_that_came_meanwhile() {
    assertTheProbesSurvives(() -> assertThat(connection.reopen()).isTrue());
  }

  /** The connection that this opens in the background comes after that of a probe. */
  private void assertTheProbesSurvives(Runnable opening) {
    CompletableFuture<Boolean> mayDial = new CompletableFuture<>();
    background.execute(mayDial::join);
    opening.run();
    connection.probe(write);
    Pipeline cameFirst = current();

    mayDial.complete(true);
    awaitBackground();

    assertOnly(cameFirst);
  }

  @Test
  void no_connection_is_dialled_when_one_came_while_the_calls_of_the_lost_one_failed() {
    Pipeline lost = current();
    inFlight(lost);
    onUnknown = () -> connection.probe(write);
    long connectionsBefore = connectionsReceived();

    connection.lost(lost, failure);
    awaitBackground();

    long connections = connectionsReceived() - connectionsBefore;
    assertThat(connections).as("of the probe, and of the second count").isEqualTo(2);
    assertOnly(current());
  }

  @Test
  void a_probe_replaces_the_connection_that_it_finds() {
    Pipeline before = current();
    connection.probe(write);
    assertThat(before.hasFailed()).isTrue();
    assertOnly(current());
  }

  @Test
  void a_spare_connection_that_still_answers_replaces_one_that_does_not() {
    keepSpare();
    long connectionsBefore = connectionsReceived();
    Pipeline silent = current();
    inFlight(silent);
    suspect(silent);
    awaitBackground();

    declareUnresponsive(silent);

    assertThat(connection.pipeline()).isNotNull().isNotSameAs(silent);
    assertThat(connectionsReceived() - connectionsBefore).as("of the second count").isEqualTo(1);
    assertOnly(current());
  }

  /** The breaker has the reason of the outage. That a connection is silent adds nothing to it. */
  @Test
  void a_connection_that_is_silent_when_redis_is_out_has_timed_out() {
    PrimaryConnection hasty = connection(HASTE);
    try {
      hasty.open();
      Awaitility.await().until(() -> hasty.pipeline() != null);
      Pipeline silent = Objects.requireNonNull(hasty.pipeline());
      PendingCall call = inFlight(silent);
      Awaitility.await()
          .pollInterval(Duration.ofMillis(1))
          .until(() -> silent.isSilent(System.nanoTime()));

      hasty.failWaiting();

      assertThat(call.outcome())
          .isInstanceOfSatisfying(
              PendingCall.Outcome.Failed.class,
              failed -> assertThat(failed.cause()).hasCauseInstanceOf(TimedOutException.class));
    } finally {
      hasty.close();
    }
  }

  @Test
  void far_from_redis_a_wait_is_suspect_after_the_usual_round_trip_and_ends_no_later() {
    Pipeline far = farAway();
    long connectionsBefore = connectionsReceived();
    long overdueNanos = far.unresponsiveNanos().orElseThrow();

    assertThat(watch.check(overdueNanos - 2)).hasValue(overdueNanos - 1);
    awaitBackground();
    assertThat(connectionsReceived() - connectionsBefore).as("of the second count").isEqualTo(1);

    assertThat(watch.check(overdueNanos - 1)).hasValue(overdueNanos);
    awaitBackground();
    assertThat(watch.check(overdueNanos)).isEmpty();
    connection.lost(far, failure);

    assertThat(connection.pipeline()).isNotNull().isNotSameAs(far);
    assertOnly(current());
  }

  @Test
  void far_from_redis_a_second_connection_may_answer_when_the_calls_have_ended() {
    Pipeline far = farAway();
    server.freeze();
    try {
      long overdueNanos = far.unresponsiveNanos().orElseThrow();
      assertThat(watch.check(overdueNanos - 1)).hasValue(overdueNanos);
      declareUnresponsive(far);

      assertThat(connection.pipeline()).isNull();
      assertThat(unusable).isEmpty();
    } finally {
      server.thaw();
    }
    Awaitility.await().until(() -> connection.pipeline() != null);
    assertOnly(current());
  }

  /**
   * Returns the pipeline after a round trip of nearly three quarters of the deadline, in a wait.
   */
  private Pipeline farAway() {
    Pipeline far = current();
    far.window().sent(0);
    far.window().replied(0, 0, DEADLINE.toNanos() / 4 * 3 - 1);
    inFlight(far);
    return far;
  }

  @Test
  void a_spare_connection_of_an_earlier_wait_hides_no_stall() {
    keepSpare();
    Pipeline silent = current();
    inFlight(silent);
    server.freeze();
    try {
      suspect(silent);
      declareUnresponsive(silent);

      assertThat(connection.pipeline()).isNull();
      assertThat(unusable).singleElement().asString().contains("no reply");
    } finally {
      server.thaw();
    }
  }

  @Test
  void a_spare_connection_that_was_lost_too_replaces_none() {
    keepSpare();
    server.kill();
    server.restart();
    connection.lost(current(), failure);
    awaitBackground();
    assertOnly(current());
  }

  /** Redis answers late, but in time. */
  private void keepSpare() {
    Pipeline slow = current();
    inFlight(slow);
    suspect(slow);
    awaitBackground();
    assertThat(slow.finish(Objects.requireNonNull(slow.oldest()))).isTrue();
  }

  private void suspect(Pipeline waiting) {
    long overdueNanos = waiting.unresponsiveNanos().orElseThrow();
    assertThat(watch.check(overdueNanos - DEADLINE.toNanos() / 2)).isPresent();
  }

  private void declareUnresponsive(Pipeline waiting) {
    assertThat(watch.check(waiting.unresponsiveNanos().orElseThrow())).isEmpty();
    connection.lost(waiting, failure);
  }

  private void assertOnly(Pipeline survivor) {
    assertThat(connection.pipeline()).isSameAs(survivor);
    assertThat(survivor.hasFailed()).isFalse();
    assertThat(unusable).isEmpty();
    Awaitility.await("the loser is closed").until(() -> clients() == 1);
  }

  private long clients() {
    try (Jedis redis = server.client()) {
      return redis.clientList().lines().count() - 1; // without this one
    }
  }

  private long connectionsReceived() {
    try (Jedis redis = server.client()) {
      return redis
          .info("stats")
          .lines()
          .filter(line -> line.startsWith("total_connections_received:"))
          .mapToLong(line -> Long.parseLong(line.split(":", -1)[1]))
          .sum();
    }
  }

  private Pipeline current() {
    return Objects.requireNonNull(connection.pipeline());
  }

  private PendingCall inFlight(Pipeline pipeline) {
    PendingCall call = new PendingCall(write, PendingCall.Form.SINGLE, Deadline.after(DEADLINE));
    assertThat(call.markSent()).isTrue();
    pipeline.begin(SubBatch.of(List.of(call), key -> 0, false), List.of(call));
    return call;
  }

  /** Waits for all work in the background that was due before. It has one thread. */
  private void awaitBackground() {
    assertThat(CompletableFuture.runAsync(() -> {}, background)).succeedsWithin(DEADLINE);
  }

  private PrimaryConnection connection(Duration deadline) {
    CircuitBreaker breaker = new CircuitBreaker(address, background, reports, () -> {});
    PrimarySettings settings =
        new PrimarySettings(connector, timer, reports, deadline, true, new Unsettled(), () -> {});
    return new PrimaryConnection(
        new Primary(address, settings, breaker, background),
        unusable::add,
        new CallQueue(),
        new SignalledThread("weir-redis-test-write", () -> {}, LimiterListener.NONE),
        new CrossSlotSupport(address, connector));
  }

  private static ScriptCall write() {
    Commands commands = Commands.byServerTime(Instant::now);
    Limit limit = Limit.parse("1000 per second");
    ScriptCall.Part part = new ScriptCall.Part(commands.encode(limit, 0), 1);
    return ScriptCall.of(
        Operation.DECIDE, List.of("key"), commands.time(), List.of(part), List.of());
  }

  private final class Unsettled implements UnsettledCalls {

    @Override
    public void addLate(ScriptCall call, List<Long> reply) {}

    @Override
    public void addUnknown(ScriptCall call) {
      onUnknown.run();
    }

    @Override
    public void addUnsent(ScriptCall posted) {}
  }
}
