package dev.weir.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.weir.fixture.ManualTime;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** Which requests the gate allows, depending on how many are in flight. */
class OverloadGateTest {

  private static final Optional<String> CHECKOUT = Optional.of("checkout");
  private static final Optional<String> LOGIN = Optional.of("login");
  private static final Optional<String> NOBODY = Optional.empty();

  private final OverloadGate gate = new OverloadGate(new ManualTime());

  @Test
  void it_is_open_until_it_is_told_a_number() {
    assertThat(enter(1_000, NOBODY)).hasSize(1_000);
    assertThat(gate.stats()).isEmpty();
  }

  @Test
  void it_lets_in_as_many_as_the_number_says() {
    gate.follow(of(10, Map.of()));
    List<Ticket> tickets = enter(15, NOBODY);
    assertThat(tickets).hasSize(10);
    assertThat(gate.stats()).contains(new RuleLimiter.InFlight(10, 10, 5, 0));
    tickets.get(3).leave();
    tickets.get(3).leave();
    assertThat(enter(5, NOBODY)).as("who leaves twice leaves once").hasSize(1);
  }

  @Test
  void others_never_take_the_last_of_a_share() {
    gate.follow(of(10, Map.of("checkout", 20, "login", 10)));
    assertThat(enter(15, NOBODY)).hasSize(7);
    assertThat(enter(15, CHECKOUT)).hasSize(2);
    assertThat(enter(15, LOGIN)).hasSize(1);
  }

  @Test
  void whose_share_is_used_up_is_one_of_the_others() {
    gate.follow(of(10, Map.of("checkout", 20, "login", 10)));
    List<Ticket> checkouts = enter(15, CHECKOUT);
    assertThat(checkouts).as("all but the share of login").hasSize(9);
    assertThat(enter(1, NOBODY)).isEmpty();
    checkouts.subList(0, 8).forEach(Ticket::leave);
    assertThat(enter(15, NOBODY))
        .as("one is in, one more is kept for it, one for login")
        .hasSize(7);
    assertThat(enter(15, CHECKOUT)).hasSize(1);
    assertThat(enter(15, LOGIN)).hasSize(1);
  }

  @Test
  void a_share_is_there_while_the_number_has_fallen_below_what_is_in() {
    gate.follow(of(10, Map.of("checkout", 20)));
    List<Ticket> others = enter(15, NOBODY);
    gate.follow(of(5, Map.of("checkout", 20)));
    assertThat(enter(1, NOBODY)).isEmpty();
    assertThat(enter(3, CHECKOUT)).hasSize(1);
    others.forEach(Ticket::leave);
    assertThat(enter(15, NOBODY)).hasSize(4);
  }

  @Test
  void what_is_in_flight_is_counted_through_every_change() {
    gate.follow(of(4, Map.of("checkout", 25)));
    List<Ticket> tickets = enter(3, NOBODY);
    tickets.addAll(enter(1, CHECKOUT));
    gate.follow(of(6, Map.of("login", 20)));
    assertThat(enter(9, NOBODY)).as("one of six is for login").hasSize(1);
    gate.follow(Optional.empty());
    assertThat(enter(1, NOBODY)).hasSize(1);
    tickets.forEach(Ticket::leave);
    gate.follow(of(6, Map.of("checkout", 20)));
    assertThat(enter(9, NOBODY)).as("two are still in").hasSize(3);
    assertThat(enter(9, CHECKOUT)).hasSize(1);
  }

  @Test
  void who_never_tells_the_end_is_counted_until_it_is_gone_from_memory() {
    gate.follow(of(10, Map.of("checkout", 20)));
    lose(8);
    await()
        .until(
            () -> {
              System.gc();
              return gate.stats().orElseThrow().inFlight() == 0;
            });
    assertThat(enter(15, NOBODY)).hasSize(8);
    assertThat(enter(15, CHECKOUT)).hasSize(2);
  }

  @Test
  void a_share_is_there_whatever_crowd_there_is() throws Exception {
    gate.follow(of(10, Map.of("checkout", 20)));
    AtomicInteger inside = new AtomicInteger();
    AtomicInteger most = new AtomicInteger();
    AtomicBoolean done = new AtomicBoolean();
    ExecutorService others = Executors.newFixedThreadPool(8);
    try {
      List<Future<?>> crowd = new ArrayList<>();
      for (int i = 0; i < 8; i++) {
        crowd.add(others.submit(() -> crowd(done, inside, most)));
      }
      await().until(() -> most.get() > 0);
      for (int i = 0; i < 10_000; i++) {
        Ticket one = gate.enter(CHECKOUT).orElseThrow();
        Ticket two = gate.enter(CHECKOUT).orElseThrow();
        one.leave();
        two.leave();
      }
      done.set(true);
      for (Future<?> one : crowd) {
        one.get();
      }
    } finally {
      others.shutdown();
    }
    assertThat(most.get()).isLessThanOrEqualTo(8);
    assertThat(gate.stats().orElseThrow().inFlight()).isZero();
  }

  /** Each takes up to three places at a time. */
  private void crowd(AtomicBoolean done, AtomicInteger inside, AtomicInteger most) {
    while (!done.get()) {
      List<Ticket> tickets = enter(3, NOBODY);
      most.accumulateAndGet(inside.addAndGet(tickets.size()), Math::max);
      inside.addAndGet(-tickets.size());
      tickets.forEach(Ticket::leave);
    }
  }

  private void lose(int times) {
    assertThat(enter(times, NOBODY)).hasSize(times);
  }

  private List<Ticket> enter(int times, Optional<String> share) {
    List<Ticket> tickets = new ArrayList<>();
    for (int i = 0; i < times; i++) {
      gate.enter(share).ifPresent(tickets::add);
    }
    return tickets;
  }

  private static Optional<Overload> of(int number, Map<String, Integer> reserved) {
    return Optional.of(new Overload(number, number, number, RequestMatcher.of("/**"), reserved));
  }
}
