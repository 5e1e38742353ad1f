package dev.weir.redis;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.Deadline;
import dev.weir.LimiterListener;
import dev.weir.redis.RedisUri.Host;
import java.time.Duration;
import java.util.List;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** What those say of a primary who have waited for it in vain. */
class FailureDetectorTest {

  private static final Duration DEADLINE = Duration.ofMillis(5);
  private static final Duration LONG = Duration.ofMillis(50);
  private static final Duration AMPLE = Duration.ofSeconds(10);

  private final RedisServer server = RedisServer.shared(RedisVersion.newest());
  private final Watchdog watchdog = new Watchdog("weir-redis-test-watchdog");
  private final Connector connector =
      new Connector(RedisOptions.of(server.uri(), "failures").withDeadline(AMPLE), watchdog);
  private final Host address = new Host("127.0.0.1", server.port());
  private final Background background = new Background("weir-redis-test", 2, LimiterListener.NONE);
  private final Pool pool = new Pool(() -> connector.open(address), background);
  private final Reports reports = new Reports(LimiterListener.NONE);
  private final Circuit circuit =
      new Circuit(address, pool, () -> {}, background, reports, () -> false, () -> {});
  private final Silence silence = new Silence(DEADLINE, background, () -> {});
  private final FailureDetector failures = new FailureDetector(circuit, silence, pool, reports);

  @AfterEach
  void close() {
    circuit.close();
    background.close();
    pool.cut();
    pool.close();
    watchdog.close();
  }

  private void takeConnections(int count) throws InterruptedException {
    for (int i = 0; i < count; i++) {
      pool.take(Deadline.after(AMPLE), () -> false);
    }
  }

  private static Passenger passenger() {
    ScriptCall call = new ScriptCall(Script.ONE_BUCKET, List.of("key"), List.of(""));
    return new Passenger(call, Deadline.after(DEADLINE));
  }

  /** Somebody who was sent, and has waited in vain. */
  private static Passenger unanswered() {
    Passenger passenger = passenger();
    passenger.board();
    passenger.send(System.nanoTime());
    passenger.waitForTurn(DEADLINE.toNanos(), () -> {});
    return passenger;
  }

  /** Somebody for whom no trip has begun. */
  private static Passenger unsent(Runnable meanwhile) {
    Passenger passenger = passenger();
    passenger.waitForTurn(DEADLINE.toNanos() / 4, meanwhile);
    return passenger;
  }

  @Test
  void nobody_had_a_reply_while_others_were_under_way_too() {
    awaitLoss(() -> failures.unanswered(new NoAnswer("none"), unanswered(), true));
  }

  @Test
  void nor_did_a_trip_begin_for_them() throws Exception {
    takeConnections(2);
    awaitLoss(() -> failures.unsent(new NoAnswer("none"), unsent(() -> {})));
  }

  private void awaitLoss(Runnable inVain) {
    Awaitility.await()
        .pollInterval(Duration.ofMillis(1))
        .until(
            () -> {
              inVain.run();
              return !circuit.isHealthy();
            });
  }

  @Test
  void one_connection_that_is_silent_is_not_the_primary() throws Exception {
    takeConnections(1);
    for (int i = 0; i < 2 * Breaker.FAILURES_IN_A_ROW; i++) {
      failures.unanswered(new NoAnswer("none"), unanswered(), false);
      failures.unsent(new NoAnswer("none"), unsent(() -> {}));
    }
    assertThat(circuit.isHealthy()).isTrue();
  }

  @Test
  void who_has_overslept_knows_nothing_for_the_whole_node_may_have() throws Exception {
    takeConnections(2);
    for (int i = 0; i < 2 * Breaker.FAILURES_IN_A_ROW; i++) {
      failures.unsent(new NoAnswer("none"), unsent(FailureDetectorTest::standStill));
    }
    assertThat(circuit.isHealthy()).isTrue();
  }

  private static void standStill() {
    long untilNanos = System.nanoTime() + LONG.toNanos();
    while (System.nanoTime() - untilNanos < 0) {
      Thread.onSpinWait();
    }
  }

  @Test
  void what_somebody_was_replied_meanwhile_is_no_silence() throws Exception {
    takeConnections(2);
    for (int i = 0; i < 2 * Breaker.FAILURES_IN_A_ROW; i++) {
      Passenger sent = unanswered();
      Passenger left = unsent(silence::broken);
      silence.broken();
      failures.unanswered(new NoAnswer("none"), sent, true);
      failures.unsent(new NoAnswer("none"), left);
    }
    assertThat(circuit.isHealthy()).isTrue();
  }
}
