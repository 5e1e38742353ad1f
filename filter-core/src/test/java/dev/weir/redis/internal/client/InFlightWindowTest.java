package dev.weir.redis.internal.client;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Queue;
import org.junit.jupiter.api.Test;

/** How many batches may be in flight, by the round trip. */
class InFlightWindowTest {

  private static final Duration DEADLINE = Duration.ofMillis(100);

  /** The cost of a batch of a few calls. */
  private static final int USUAL_MICROS = 20;

  private long nowNanos = 1;
  private final InFlightWindow window = new InFlightWindow(DEADLINE, nowNanos);
  private final Queue<Sent> inFlight = new ArrayDeque<>();

  private record Sent(int micros, long nanos) {}

  private void send() {
    send(USUAL_MICROS);
  }

  private void send(int micros) {
    window.sent(micros);
    inFlight.add(new Sent(micros, nowNanos));
  }

  private void answer() {
    Sent batch = inFlight.remove();
    window.replied(batch.micros, batch.nanos, nowNanos);
  }

  private void pass(Duration time) {
    nowNanos += time.toNanos();
  }

  /** Makes so many round trips, one after the other. */
  private void roundTrips(int times, Duration each) {
    for (int i = 0; i < times; i++) {
      send();
      pass(each);
      answer();
    }
  }

  /** Sends as many batches as there is room for, and returns how many are in flight then. */
  private int fill() {
    return fillWith(USUAL_MICROS);
  }

  /** Does the same with batches that cost Redis so much each. */
  private int fillWith(int micros) {
    while (window.hasRoom()) {
      send(micros);
    }
    return inFlight.size();
  }

  /** Does the same with batches of about the highest cost allowed: the next call did not fit. */
  private int fillWithFullBatches() {
    return fillWith(InFlightWindow.BATCH_MICROS - 3);
  }

  private void answerAll() {
    while (!inFlight.isEmpty()) {
      answer();
    }
  }

  @Test
  void near_Redis_two_batches_are_in_flight() {
    roundTrips(100, Duration.ofNanos(60_000));
    assertThat(fillWith(100)).isEqualTo(2);
  }

  @Test
  void or_as_many_as_give_Redis_work_for_the_time_that_waking_a_thread_takes() {
    roundTrips(100, Duration.ofNanos(60_000));
    assertThat(fillWith(7)).isEqualTo(9);
  }

  @Test
  void but_not_while_it_is_narrowed() {
    roundTrips(100, Duration.ofNanos(60_000));
    fillWith(7);
    pass(Duration.ofMillis(27));
    answerAll();
    assertThat(fillWith(7)).isEqualTo(1);
  }

  @Test
  void but_only_two_full_ones() {
    roundTrips(100, Duration.ofNanos(60_000));
    assertThat(fillWithFullBatches()).isEqualTo(2);
  }

  @Test
  void far_from_Redis_as_many_as_keep_the_way_full() {
    roundTrips(100, Duration.ofMillis(1));
    assertThat(fill()).isEqualTo(20);
  }

  @Test
  void but_no_more_than_256() {
    roundTrips(300, Duration.ofMillis(50));
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
  void the_work_in_flight_is_limited_to_that_of_one_base_round_trip_and_two_batches() {
    roundTrips(100, Duration.ofMillis(10));
    assertThat(fillWithFullBatches()).isEqualTo(22);
  }

  @Test
  void a_queue_that_never_ends_does_not_pass_for_the_way() {
    roundTrips(100, Duration.ofMillis(3));
    assertThat(window.limit()).isEqualTo(70);
    fill();
    for (int i = 0; i < 3_000; i++) {
      pass(Duration.ofMillis(10));
      while (inFlight.size() > 1) {
        answer();
      }
      assertThat(window.hasRoom()).isTrue();
      fill();
    }
    assertThat(window.limit()).isEqualTo(70);
  }

  @Test
  void another_connection_to_the_same_server_begins_with_what_is_known_of_the_way() {
    roundTrips(100, Duration.ofMillis(1));
    InFlightWindow next = window.next(nowNanos);
    for (int i = 0; i < 100; i++) {
      long sentNanos = nowNanos;
      next.sent(0);
      pass(Duration.ofMillis(9));
      next.replied(0, sentNanos, nowNanos);
    }
    assertThat(next.limit()).isEqualTo(20);
  }

  @Test
  void a_way_that_has_become_longer_is_believed_after_100_slow_round_trips_of_single_batches() {
    roundTrips(100, Duration.ofMillis(1));
    roundTrips(104, Duration.ofMillis(31));
    assertThat(window.limit()).isEqualTo(1);
    roundTrips(300, Duration.ofMillis(31));
    assertThat(window.limit()).isEqualTo(256);
  }

  @Test
  void but_not_while_one_of_them_is_in_time() {
    roundTrips(100, Duration.ofMillis(1));
    for (int i = 0; i < 20; i++) {
      roundTrips(60, Duration.ofMillis(31));
      roundTrips(1, Duration.ofMillis(2));
    }
    assertThat(window.limit()).isLessThanOrEqualTo(20);
  }

  @Test
  void an_answer_is_expected_to_take_as_long_as_those_before_and_less_the_longer_ago_they_were() {
    roundTrips(100, Duration.ofMillis(40));
    assertThat(window.expectedNanos(nowNanos)).isZero();
    send();
    pass(Duration.ofMillis(40));
    send();
    answer();
    assertThat(window.expectedNanos(nowNanos)).isEqualTo(40_000_000);
    pass(DEADLINE);
    assertThat(window.expectedNanos(nowNanos)).isEqualTo(20_000_000);
    pass(DEADLINE.multipliedBy(100));
    assertThat(window.expectedNanos(nowNanos)).isZero();
  }

  @Test
  void as_long_as_the_longest_of_late_and_never_longer_than_any() {
    roundTrips(1, Duration.ofMillis(90));
    for (int i = 0; i < 20; i++) {
      send();
      send();
      pass(Duration.ofMillis(90));
      answer();
      assertThat(window.expectedNanos(nowNanos)).isBetween(90_000_000L, 180_000_000L);
      pass(Duration.ofMillis(90));
      send();
      answer();
      assertThat(window.expectedNanos(nowNanos)).isEqualTo(180_000_000);
      pass(Duration.ofMillis(90));
      answer();
    }
  }

  @Test
  void one_long_round_trip_is_forgotten_as_shorter_ones_follow() {
    send();
    pass(Duration.ofMillis(90));
    send();
    answer();
    for (int i = 0; i < 40; i++) {
      pass(Duration.ofMillis(1));
      send();
      answer();
    }
    assertThat(window.expectedNanos(nowNanos)).isLessThan(2_000_000);
  }

  @Test
  void a_batch_that_finds_the_connection_empty_ends_the_memory_of_a_queue() {
    roundTrips(100, Duration.ofMillis(40));
    fill();
    pass(Duration.ofMillis(150));
    answerAll();
    send();
    assertThat(window.expectedNanos(nowNanos)).isZero();
    pass(Duration.ofMillis(50));
    send();
    answer();
    assertThat(window.expectedNanos(nowNanos)).isEqualTo(50_000_000);
  }
}
