package dev.weir.redis;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Queue;
import org.junit.jupiter.api.Test;

/** How many batches may be in flight, by the round trip. */
class WindowTest {

  private static final Duration DEADLINE = Duration.ofMillis(100);
  private static final int MICROS = 10;

  private long nowNanos = 1;
  private final Window window = new Window(DEADLINE, nowNanos);
  private final Queue<Window.Ticket> inFlight = new ArrayDeque<>();

  private void send() {
    inFlight.add(window.sent(MICROS, 1, nowNanos));
  }

  private void answer() {
    window.answered(inFlight.remove(), nowNanos);
  }

  private void pass(Duration time) {
    nowNanos += time.toNanos();
  }

  /** So many round trips, one after the other. */
  private void roundTrips(int times, Duration each) {
    for (int i = 0; i < times; i++) {
      send();
      pass(each);
      answer();
    }
  }

  /** Sends as many batches as there is room for, and returns how many are in flight then. */
  private int fill() {
    while (window.hasRoom()) {
      send();
    }
    return inFlight.size();
  }

  private void answerAll() {
    while (!inFlight.isEmpty()) {
      answer();
    }
  }

  @Test
  void near_Redis_a_few_batches_are_in_flight() {
    roundTrips(100, Duration.ofNanos(60_000));
    assertThat(fill()).isEqualTo(4);
  }

  @Test
  void far_from_Redis_as_many_as_keep_the_way_full() {
    roundTrips(100, Duration.ofMillis(1));
    assertThat(fill()).isEqualTo(20);
    answerAll();
    roundTrips(400, Duration.ofMillis(50));
    pass(Duration.ofSeconds(30));
    roundTrips(1_000, Duration.ofMillis(50));
    assertThat(fill()).isEqualTo(256);
  }

  @Test
  void a_round_trip_that_grows_by_queueing_never_widens_the_window() {
    roundTrips(100, Duration.ofMillis(1));
    for (int i = 0; i < 100; i++) {
      fill();
      pass(Duration.ofMillis(15));
      answerAll();
    }
    assertThat(window.limit()).isEqualTo(20);
  }

  @Test
  void one_that_takes_a_quarter_of_the_deadline_more_halves_it_once_in_each_round_trip() {
    roundTrips(100, Duration.ofMillis(1));
    fill();
    pass(Duration.ofMillis(27));
    answerAll();
    assertThat(window.limit()).isEqualTo(10);
    fill();
    pass(Duration.ofMillis(28));
    answerAll();
    assertThat(window.limit()).isEqualTo(5);
  }

  @Test
  void it_never_closes_and_opens_again_by_one_for_each_batch_in_time() {
    roundTrips(100, Duration.ofMillis(1));
    for (int i = 0; i < 20; i++) {
      fill();
      pass(Duration.ofMillis(50));
      answerAll();
    }
    assertThat(window.limit()).isEqualTo(1);
    assertThat(fill()).isEqualTo(1);
    pass(Duration.ofMillis(1));
    answerAll();
    roundTrips(4, Duration.ofMillis(1));
    assertThat(window.limit()).isEqualTo(6);
  }

  @Test
  void the_Redis_time_in_flight_is_limited_to_the_base_round_trip_or_four_batches() {
    roundTrips(100, Duration.ofMillis(10));
    int batches = 0;
    while (window.hasRoom()) {
      inFlight.add(window.sent(Window.BATCH_MICROS, 64, nowNanos));
      batches++;
    }
    assertThat(batches).isEqualTo(20);
  }

  @Test
  void the_base_is_measured_anew_after_10_seconds_though_the_connection_is_never_empty() {
    roundTrips(100, Duration.ofMillis(1));
    fill();
    for (int i = 0; i < 11_000; i++) {
      pass(Duration.ofMillis(1));
      answer();
      send();
    }
    answer();
    assertThat(window.hasRoom()).isFalse();
    answerAll();
    assertThat(window.hasRoom()).isTrue();
    assertThat(window.needsSample(nowNanos)).isTrue();
    roundTrips(1, Duration.ofMillis(2));
    assertThat(window.needsSample(nowNanos)).isFalse();
  }

  @Test
  void a_way_that_has_become_longer_is_known_as_such_after_20_seconds() {
    roundTrips(100, Duration.ofMillis(1));
    pass(Duration.ofSeconds(11));
    roundTrips(1, Duration.ofMillis(30));
    pass(Duration.ofSeconds(11));
    roundTrips(300, Duration.ofMillis(30));
    assertThat(window.limit()).isEqualTo(256);
  }

  @Test
  void an_answer_is_expected_to_take_as_long_as_those_before_and_less_the_longer_ago_they_were() {
    roundTrips(100, Duration.ofMillis(40));
    assertThat(window.expectedNanos(nowNanos)).isZero();
    send();
    assertThat(window.expectedNanos(nowNanos)).isEqualTo(40_000_000);
    pass(DEADLINE);
    assertThat(window.expectedNanos(nowNanos)).isEqualTo(20_000_000);
    pass(DEADLINE.multipliedBy(100));
    assertThat(window.expectedNanos(nowNanos)).isZero();
  }
}
