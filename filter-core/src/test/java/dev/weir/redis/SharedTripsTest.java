package dev.weir.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.weir.Deadline;
import dev.weir.StoreUnavailableException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;

/** Whoever comes while others are under way leaves with all others in the next trip. */
class SharedTripsTest {

  private static final Duration AMPLE = Duration.ofSeconds(20);

  private final Gated way = new Gated();
  private final SharedTrips trips = new SharedTrips(AMPLE.multipliedBy(4), way);

  /** Trips that come back when they are let. */
  private static final class Gated implements SharedTrips.Way {

    private record Trip(List<String> names, Thread driver, CountDownLatch back) {}

    private final BlockingQueue<Trip> begun = new LinkedBlockingQueue<>();

    /** What those are told with, whose time was over on their way. */
    private final List<Boolean> silences = new CopyOnWriteArrayList<>();

    /** Whether trips that begin from now on end by an error. */
    private volatile boolean dies;

    /** Whether a trip sets out as soon as it is made, or never. */
    private volatile boolean isSending = true;

    @Override
    public void make(List<Passenger> passengers, Deadline due) {
      if (isSending) {
        passengers.forEach(one -> one.send(System.nanoTime()));
      }
      List<String> names = passengers.stream().map(one -> one.call().keys().get(0)).toList();
      Trip trip = new Trip(names, Thread.currentThread(), new CountDownLatch(1));
      boolean isDying = dies;
      begun.add(trip);
      if (!opens(trip.back())) {
        throw new IllegalStateException("never let");
      }
      if (isDying) {
        throw new AssertionError("planted");
      }
      passengers.forEach(one -> one.replied(List.of((long) one.call().keys().get(0).hashCode())));
    }

    private static boolean opens(CountDownLatch latch) {
      try {
        return latch.await(20, TimeUnit.SECONDS);
      } catch (InterruptedException e) {
        return false;
      }
    }

    Trip next() throws InterruptedException {
      Trip trip = begun.poll(20, TimeUnit.SECONDS);
      if (trip == null) {
        throw new AssertionError("no trip began");
      }
      return trip;
    }

    @Override
    public StoreUnavailableException tooLate(Passenger passenger) {
      return new StoreUnavailableException("no trip began in time", Duration.ofSeconds(1), null);
    }

    @Override
    public StoreUnavailableException unanswered(Passenger passenger, boolean othersUnderWay) {
      silences.add(othersUnderWay);
      return new StoreUnavailableException("no answer", Duration.ofSeconds(1), null);
    }
  }

  private static ScriptCall call(String key) {
    return new ScriptCall(Script.ONE_BUCKET, List.of(key), List.of(""));
  }

  private CompletableFuture<List<Long>> asked(String key, Duration time) {
    return asked(trips, key, time);
  }

  private CompletableFuture<List<Long>> asked(SharedTrips trips, String key, Duration time) {
    return asked(trips, call(key), time);
  }

  private CompletableFuture<List<Long>> asked(SharedTrips trips, ScriptCall call, Duration time) {
    CompletableFuture<List<Long>> answer = new CompletableFuture<>();
    Thread thread =
        new Thread(
            () -> {
              try {
                answer.complete(trips.call(call, Deadline.after(time)));
              } catch (Throwable failure) {
                answer.completeExceptionally(failure);
              }
            },
            call.keys().get(0));
    thread.setDaemon(true);
    thread.start();
    if (way.begun.isEmpty()) {
      Awaitility.await()
          .pollDelay(Duration.ZERO)
          .pollInterval(Duration.ofMillis(1))
          .until(() -> thread.getState() != Thread.State.RUNNABLE);
    }
    return answer;
  }

  /** Passengers under way, so many that a few who come wait for them. */
  private record Crowd(List<CompletableFuture<List<Long>>> answers, List<Gated.Trip> trips) {

    void letBack() {
      trips.forEach(trip -> trip.back().countDown());
    }

    void assertAnswered() {
      answers.forEach(answer -> assertThat(answer.join()).hasSize(1));
    }
  }

  private Crowd crowd(int size) throws InterruptedException {
    return crowd(trips, size);
  }

  /**
   * @param size a power of two: they leave one by one, then two, four, and so on
   */
  private Crowd crowd(SharedTrips trips, int size) throws InterruptedException {
    Crowd crowd = new Crowd(new ArrayList<>(), new ArrayList<>());
    for (int i = 1; i <= size; i++) {
      crowd.answers().add(asked(trips, "crowd" + i, AMPLE));
      if (Integer.bitCount(i) == 1) {
        crowd.trips().add(way.next());
      }
    }
    return crowd;
  }

  private static void assertAnswered(CompletableFuture<List<Long>> answer, String key) {
    assertThat(answer.join()).as(key).containsExactly((long) key.hashCode());
  }

  @Test
  void who_comes_alone_goes_alone_and_by_himself() throws Exception {
    CompletableFuture<List<Long>> one = asked("one", AMPLE);
    Gated.Trip trip = way.next();
    assertThat(trip.names()).containsExactly("one");
    assertThat(trip.driver().getName()).isEqualTo("one");
    trip.back().countDown();
    assertAnswered(one, "one");
    assertThat(way.begun).isEmpty();
  }

  @Test
  void the_second_waits_for_nobody() throws Exception {
    CompletableFuture<List<Long>> one = asked("one", AMPLE);
    Gated.Trip trip = way.next();
    CompletableFuture<List<Long>> two = asked("two", AMPLE);
    Gated.Trip beside = way.next();
    assertThat(beside.names()).containsExactly("two");
    beside.back().countDown();
    assertAnswered(two, "two");
    trip.back().countDown();
    assertAnswered(one, "one");
  }

  @Test
  void a_trip_begins_beside_others_when_as_many_wait_as_are_under_way() throws Exception {
    Crowd crowd = crowd(4);
    CompletableFuture<List<Long>> a = asked("a", AMPLE);
    CompletableFuture<List<Long>> b = asked("b", AMPLE);
    CompletableFuture<List<Long>> c = asked("c", AMPLE);
    assertThat(way.begun).isEmpty();
    CompletableFuture<List<Long>> d = asked("d", AMPLE);
    Gated.Trip beside = way.next();
    assertThat(beside.names()).containsExactly("a", "b", "c", "d");
    beside.back().countDown();
    for (CompletableFuture<List<Long>> each : List.of(a, b, c, d)) {
      assertThat(each.join()).hasSize(1);
    }
    crowd.letBack();
    crowd.assertAnswered();
  }

  @Test
  void all_who_come_meanwhile_leave_together_in_the_order_in_which_they_came() throws Exception {
    Crowd crowd = crowd(8);
    List<CompletableFuture<List<Long>>> others = new ArrayList<>();
    for (String key : List.of("a", "b", "c", "d")) {
      others.add(asked(key, AMPLE));
    }
    assertThat(way.begun).as("fewer than are under way").isEmpty();
    crowd.letBack();
    crowd.assertAnswered();
    Gated.Trip next = way.next();
    assertThat(next.names()).containsExactly("a", "b", "c", "d");
    assertThat(next.driver().getName()).as("who has most time").isEqualTo("d");
    next.back().countDown();
    assertAnswered(others.get(3), "d");
    assertAnswered(others.get(0), "a");
  }

  @Test
  void no_trip_takes_more_than_it_may_and_the_rest_goes_next() throws Exception {
    Crowd crowd = crowd(1 << (SharedTrips.MOST_TRIPS - 1));
    List<CompletableFuture<List<Long>>> others = new ArrayList<>();
    for (int i = 0; i <= SharedTrips.MOST_TOGETHER; i++) {
      others.add(asked("n" + i, AMPLE));
    }
    assertThat(way.begun).as("as many trips as may be").isEmpty();
    crowd.letBack();
    Gated.Trip full = way.next();
    assertThat(full.names()).hasSize(SharedTrips.MOST_TOGETHER);
    full.back().countDown();
    Gated.Trip rest = way.next();
    assertThat(rest.names()).containsExactly("n" + SharedTrips.MOST_TOGETHER);
    rest.back().countDown();
    crowd.assertAnswered();
    for (int i = 0; i < others.size(); i++) {
      assertAnswered(others.get(i), "n" + i);
    }
  }

  @Test
  void decisions_over_many_counters_fill_a_trip_sooner() throws Exception {
    Crowd crowd = crowd(8);
    List<CompletableFuture<List<Long>>> others = new ArrayList<>();
    for (String key : List.of("a", "b", "c")) {
      List<String> keys = new ArrayList<>(List.of(key));
      keys.addAll(Collections.nCopies(SharedTrips.MOST_COUNTERS / 2 - 1, "other"));
      ScriptCall over = new ScriptCall(Script.ALL, keys, List.of(""));
      others.add(asked(trips, over, AMPLE));
    }
    crowd.letBack();
    Gated.Trip full = way.next();
    assertThat(full.names()).containsExactly("a", "b");
    full.back().countDown();
    way.next().back().countDown();
    crowd.assertAnswered();
    assertAnswered(others.get(2), "c");
  }

  @Test
  void whose_time_is_over_before_a_trip_began_has_asked_for_nothing_and_is_left_behind()
      throws Exception {
    Crowd crowd = crowd(8);
    CompletableFuture<List<Long>> hasty = asked("hasty", Duration.ofMillis(30));
    CompletableFuture<List<Long>> patient = asked("patient", AMPLE);
    assertThatThrownBy(hasty::join).hasMessageContaining("no trip began in time");
    crowd.letBack();
    Gated.Trip next = way.next();
    assertThat(next.names()).containsExactly("patient");
    next.back().countDown();
    crowd.assertAnswered();
    assertAnswered(patient, "patient");
  }

  @Test
  void whose_time_is_over_on_a_trip_is_told_that_nobody_knows() throws Exception {
    Crowd crowd = crowd(8);
    CompletableFuture<List<Long>> driver = asked("driver", AMPLE);
    CompletableFuture<List<Long>> hasty = asked("hasty", Duration.ofMillis(300));
    crowd.letBack();
    Gated.Trip next = way.next();
    assertThat(next.names()).containsExactly("driver", "hasty");
    assertThatThrownBy(hasty::join).hasMessageContaining("no answer");
    assertThat(way.silences).as("no trip but his").containsExactly(false);
    next.back().countDown();
    assertAnswered(driver, "driver");
    crowd.assertAnswered();
  }

  @Test
  void unless_his_trip_has_not_set_out_by_then() throws Exception {
    Crowd crowd = crowd(8);
    CompletableFuture<List<Long>> driver = asked("driver", AMPLE);
    CompletableFuture<List<Long>> hasty = asked("hasty", Duration.ofMillis(300));
    way.isSending = false;
    crowd.letBack();
    Gated.Trip next = way.next();
    assertThat(next.names()).containsExactly("driver", "hasty");
    assertThatThrownBy(hasty::join).hasMessageContaining("no trip began in time");
    next.back().countDown();
    assertAnswered(driver, "driver");
    crowd.assertAnswered();
  }

  @Test
  void whose_time_is_over_while_others_are_under_way_too_has_not_met_one_dead_connection()
      throws Exception {
    SharedTrips impatient = new SharedTrips(Duration.ofMillis(3_200), way);
    Crowd stuck = crowd(impatient, 4);
    CompletableFuture<List<Long>> driver = asked(impatient, "driver", Duration.ofSeconds(3));
    CompletableFuture<List<Long>> hasty = asked(impatient, "hasty", Duration.ofMillis(800));
    Gated.Trip overtaking = way.next();
    assertThat(overtaking.names()).containsExactly("driver", "hasty");
    assertThatThrownBy(hasty::join).hasMessageContaining("no answer");
    assertThat(way.silences).containsExactly(true);
    overtaking.back().countDown();
    stuck.letBack();
    stuck.assertAnswered();
    assertAnswered(driver, "driver");
  }

  @Test
  void when_there_is_nothing_to_wait_for_all_are_told_but_who_makes_a_trip() throws Exception {
    Crowd crowd = crowd(8);
    CompletableFuture<List<Long>> driver = asked("driver", AMPLE);
    CompletableFuture<List<Long>> aboard = asked("aboard", Duration.ofSeconds(15));
    crowd.letBack();
    Gated.Trip next = way.next();
    CompletableFuture<List<Long>> waiting = asked("waiting", AMPLE);
    trips.dismiss();
    assertThatThrownBy(() -> aboard.get(5, TimeUnit.SECONDS)).hasMessageContaining("no answer");
    assertThatThrownBy(() -> waiting.get(5, TimeUnit.SECONDS))
        .hasMessageContaining("no trip began in time");
    assertThat(driver).isNotDone();
    next.back().countDown();
    crowd.assertAnswered();
    assertAnswered(driver, "driver");
    assertThat(way.begun).as("nobody was left to make a trip").isEmpty();
  }

  @Test
  void who_is_interrupted_leaves_what_has_not_begun_and_stays_interrupted() throws Exception {
    Crowd crowd = crowd(8);
    CompletableFuture<Boolean> interrupted = new CompletableFuture<>();
    Thread thread =
        new Thread(
            () -> {
              try {
                trips.call(call("interrupted"), Deadline.after(AMPLE));
              } catch (StoreUnavailableException left) {
                interrupted.complete(Thread.currentThread().isInterrupted());
              }
            });
    thread.start();
    Awaitility.await().until(() -> thread.getState() == Thread.State.TIMED_WAITING);
    thread.interrupt();
    assertThat(interrupted.get(10, TimeUnit.SECONDS)).isTrue();
    crowd.letBack();
    crowd.assertAnswered();
    assertThat(way.begun).as("nobody was left to make a trip").isEmpty();
  }

  @Test
  void a_trip_that_takes_too_long_is_overtaken_on_another_connection() throws Exception {
    SharedTrips impatient = new SharedTrips(Duration.ofMillis(80), way);
    Crowd stuck = crowd(impatient, 2);
    CompletableFuture<List<Long>> other = asked(impatient, "other", AMPLE);
    Gated.Trip overtaking = way.next();
    assertThat(overtaking.names()).containsExactly("other");
    overtaking.back().countDown();
    assertAnswered(other, "other");
    stuck.letBack();
    stuck.assertAnswered();
  }

  @Test
  void and_is_not_waited_for_by_those_who_come_after() throws Exception {
    SharedTrips impatient = new SharedTrips(AMPLE, way);
    Crowd stuck = crowd(impatient, 4);
    CompletableFuture<List<Long>> first = asked(impatient, "first", AMPLE);
    Gated.Trip overtaking = way.next();
    overtaking.back().countDown();
    assertAnswered(first, "first");
    for (String key : List.of("second", "third")) {
      long sinceNanos = System.nanoTime();
      CompletableFuture<List<Long>> one = asked(impatient, key, AMPLE);
      way.next().back().countDown();
      assertAnswered(one, key);
      assertThat(System.nanoTime() - sinceNanos)
          .as("before it would overtake")
          .isLessThan(AMPLE.toNanos() / 8);
    }
    stuck.letBack();
    stuck.assertAnswered();
  }

  @Test
  void of_a_trip_that_ends_by_an_error_all_are_told_and_the_next_one_begins() throws Exception {
    Crowd crowd = crowd(8);
    CompletableFuture<List<Long>> driver = asked("driver", AMPLE);
    CompletableFuture<List<Long>> aboard = asked("aboard", Duration.ofSeconds(15));
    way.dies = true;
    crowd.letBack();
    Gated.Trip dying = way.next();
    assertThat(dying.driver().getName()).isEqualTo("driver");
    way.dies = false;
    CompletableFuture<List<Long>> next = asked("next", AMPLE);
    dying.back().countDown();
    assertThatThrownBy(() -> driver.get(5, TimeUnit.SECONDS)).hasMessageContaining("planted");
    assertThatThrownBy(() -> aboard.get(5, TimeUnit.SECONDS)).hasMessageContaining("no answer");
    way.next().back().countDown();
    assertAnswered(next, "next");
    crowd.assertAnswered();
  }

  @Test
  void nobody_is_cut_short_because_another_is_in_haste() throws Exception {
    Crowd crowd = crowd(8);
    CompletableFuture<List<Long>> hasty = asked("hasty", Duration.ofSeconds(5));
    CompletableFuture<List<Long>> patient = asked("patient", AMPLE);
    CompletableFuture<List<Long>> another = asked("another", Duration.ofSeconds(5));
    crowd.letBack();
    Gated.Trip next = way.next();
    assertThat(next.names()).containsExactly("hasty", "patient", "another");
    assertThat(next.driver().getName()).isEqualTo("patient");
    next.back().countDown();
    crowd.assertAnswered();
    for (CompletableFuture<List<Long>> each : List.of(hasty, patient, another)) {
      assertThat(each.join()).hasSize(1);
    }
  }

  @Test
  void nor_is_one_who_has_more_time_than_usual() throws Exception {
    Crowd crowd = crowd(8);
    Duration usual = AMPLE.multipliedBy(4);
    CompletableFuture<List<Long>> hasty = asked("hasty", Duration.ofSeconds(5));
    CompletableFuture<List<Long>> minutes = asked("minutes", usual.multipliedBy(3));
    CompletableFuture<List<Long>> patient = asked("patient", usual.multipliedBy(2));
    crowd.letBack();
    Gated.Trip next = way.next();
    assertThat(next.driver().getName()).isEqualTo("patient");
    next.back().countDown();
    crowd.assertAnswered();
    for (CompletableFuture<List<Long>> each : List.of(hasty, minutes, patient)) {
      assertThat(each.join()).hasSize(1);
    }
  }

  @Test
  void under_any_load_everybody_is_answered_his_own() throws Exception {
    way.begun.clear();
    SharedTrips open =
        new SharedTrips(
            AMPLE,
            new SharedTrips.Way() {
              @Override
              public void make(List<Passenger> passengers, Deadline due) {
                passengers.forEach(
                    one -> one.replied(List.of((long) one.call().keys().get(0).hashCode())));
              }

              @Override
              public StoreUnavailableException tooLate(Passenger passenger) {
                return way.tooLate(passenger);
              }

              @Override
              public StoreUnavailableException unanswered(
                  Passenger passenger, boolean othersUnderWay) {
                return way.unanswered(passenger, othersUnderWay);
              }
            });
    List<CompletableFuture<Void>> threads = new ArrayList<>();
    for (int t = 0; t < 8; t++) {
      int number = t;
      CompletableFuture<Void> done = new CompletableFuture<>();
      Thread thread =
          new Thread(
              () -> {
                try {
                  for (int i = 0; i < 20_000; i++) {
                    String key = number + ":" + i;
                    List<Long> reply = open.call(call(key), Deadline.after(AMPLE));
                    assertThat(reply).containsExactly((long) key.hashCode());
                  }
                  done.complete(null);
                } catch (Throwable failure) {
                  done.completeExceptionally(failure);
                }
              });
      thread.setDaemon(true);
      thread.start();
      threads.add(done);
    }
    for (CompletableFuture<Void> each : threads) {
      each.get(60, TimeUnit.SECONDS);
    }
  }
}
