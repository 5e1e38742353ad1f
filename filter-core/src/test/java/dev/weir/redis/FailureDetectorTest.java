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
import redis.clients.jedis.exceptions.JedisConnectionException;

/** What those say of a primary who have waited for it in vain. */
class FailureDetectorTest {

  private static final Duration DEADLINE = Duration.ofMillis(5);
  private static final Duration LONG_AFTER = Duration.ofMillis(50);

  private final Background background = new Background("weir-redis-test", 1, LimiterListener.NONE);
  private final Pool pool = new Pool(FailureDetectorTest::refused, background);
  private final Reports reports = new Reports(LimiterListener.NONE);
  private final Circuit circuit =
      new Circuit(
          new Host("127.0.0.1", 1), pool, () -> {}, background, reports, () -> false, () -> {});
  private final Silence silence = new Silence(DEADLINE, background, () -> {});
  private final FailureDetector failures = new FailureDetector(circuit, silence, pool, reports);

  @AfterEach
  void close() {
    circuit.close();
    background.close();
    pool.close();
  }

  private static RedisConnection refused() {
    throw new JedisConnectionException("nobody is there");
  }

  /** Somebody who came and was sent, and whose time has been over for so long. */
  private static Passenger waitedInVain(Duration over) {
    ScriptCall call = new ScriptCall(Script.ONE_BUCKET, List.of("key"), List.of(""));
    Passenger passenger = new Passenger(call, Deadline.after(DEADLINE));
    passenger.board();
    passenger.send(System.nanoTime());
    long untilNanos = passenger.due().nanoTime() + over.toNanos();
    while (System.nanoTime() - untilNanos < 0) {
      Thread.onSpinWait();
    }
    return passenger;
  }

  @Test
  void nobody_had_a_reply_while_others_were_under_way_too() {
    Awaitility.await()
        .pollInterval(Duration.ofMillis(1))
        .until(
            () -> {
              failures.unanswered(new NoAnswer("none"), waitedInVain(Duration.ZERO), true);
              return !circuit.isHealthy();
            });
  }

  @Test
  void nor_did_a_trip_begin_for_them() {
    Awaitility.await()
        .pollInterval(Duration.ofMillis(1))
        .until(
            () -> {
              failures.unsent(new NoAnswer("none"), waitedInVain(Duration.ZERO));
              return !circuit.isHealthy();
            });
  }

  @Test
  void one_connection_that_is_silent_is_not_the_primary() {
    for (int i = 0; i < 2 * Breaker.FAILURES_IN_A_ROW; i++) {
      failures.unanswered(new NoAnswer("none"), waitedInVain(Duration.ZERO), false);
    }
    assertThat(circuit.isHealthy()).isTrue();
  }

  @Test
  void who_wakes_long_after_his_time_has_slept_himself() {
    Passenger asleep = waitedInVain(LONG_AFTER);
    for (int i = 0; i < 2 * Breaker.FAILURES_IN_A_ROW; i++) {
      failures.unanswered(new NoAnswer("none"), asleep, true);
      failures.unsent(new NoAnswer("none"), asleep);
    }
    assertThat(circuit.isHealthy()).isTrue();
  }

  @Test
  void what_somebody_was_replied_meanwhile_is_no_silence() {
    for (int i = 0; i < 2 * Breaker.FAILURES_IN_A_ROW; i++) {
      Passenger passenger = waitedInVain(Duration.ZERO);
      silence.broken();
      failures.unanswered(new NoAnswer("none"), passenger, true);
      failures.unsent(new NoAnswer("none"), passenger);
    }
    assertThat(circuit.isHealthy()).isTrue();
  }
}
