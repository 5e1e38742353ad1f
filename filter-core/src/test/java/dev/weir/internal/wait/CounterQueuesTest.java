package dev.weir.internal.wait;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.fixture.AcquireRequests;
import dev.weir.fixture.ManualScheduler;
import dev.weir.fixture.ManualTime;
import dev.weir.internal.store.Scheduler;
import dev.weir.limit.Concurrency;
import dev.weir.limit.Limit;
import dev.weir.local.LocalLimitStore;
import dev.weir.local.LocalOptions;
import dev.weir.store.AcquireRequest.Charge;
import dev.weir.store.LimitStore;
import dev.weir.store.Subject;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.SplittableRandom;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Assertions;
import org.junit.jupiter.api.Test;

/** Lines that are joined and left in no time, and what can come of a limit at most. */
class CounterQueuesTest {

  private static final Duration FAR_MORE_THAN_IT_TAKES = Duration.ofSeconds(20);

  private final ManualTime time = new ManualTime();
  private final ManualScheduler scheduler = new ManualScheduler(time);
  private final CounterQueues queues = new CounterQueues(scheduler, Runnable::run, Runnable::run);
  private final List<Integer> turns = new ArrayList<>();

  private final class Waiting implements CounterQueues.Waiter {

    private final int number;
    private final List<Charge> charges;

    private Waiting(int number, List<Charge> charges) {
      this.number = number;
      this.charges = charges;
    }

    @Override
    public List<Charge> waitedFor() {
      return charges;
    }

    @Override
    public void turn() {
      turns.add(number);
    }
  }

  private static List<Charge> charges(long permits) {
    return List.of(AcquireRequests.charge("a", "1 per second", Subject.of("x"), permits));
  }

  @Test
  void a_turn_comes_in_order_of_arrival_and_the_line_knows_what_is_waited_for() {
    List<Waiting> waiting = new ArrayList<>();
    for (int i = 0; i < 4; i++) {
      waiting.add(new Waiting(i, charges(i + 1)));
      assertThat(queues.join(waiting.get(i))).isEqualTo(i == 0);
    }
    assertThat(queues.ahead(charges(1))).containsExactly(10L);
    queues.leave(waiting.get(1));
    queues.leave(waiting.get(1));
    assertThat(queues.ahead(charges(1))).containsExactly(8L);
    assertThat(turns).isEmpty();
    queues.leave(waiting.get(0));
    queues.leave(waiting.get(2));
    assertThat(turns).containsExactly(2, 3);
    queues.leave(waiting.get(3));
    assertThat(queues.ahead(charges(1))).isEmpty();
  }

  @Test
  void a_task_for_which_no_thread_can_be_started_runs_later_and_those_behind_it_too() {
    AtomicBoolean fails = new AtomicBoolean(true);
    Executor workers =
        task -> {
          if (fails.getAndSet(false)) {
            throw new OutOfMemoryError("unable to create native thread");
          }
          task.run();
        };
    CounterQueues failing = new CounterQueues(scheduler, workers, workers);
    List<Scheduler.Pending> unused =
        List.of(
            failing.completeInTurn(Duration.ZERO, charges(1), () -> turns.add(1)),
            failing.completeInTurn(Duration.ZERO, charges(1), () -> turns.add(2)));
    scheduler.advance(Duration.ZERO);
    assertThat(turns).isEmpty();
    scheduler.advance(Duration.ofMillis(100));
    assertThat(turns).containsExactlyInAnyOrder(1, 2);
    fails.set(true);
    failing.requestSoon(() -> turns.add(3));
    scheduler.advance(Duration.ofMillis(100));
    assertThat(turns).containsExactlyInAnyOrder(1, 2, 3);
  }

  @Test
  void leaving_takes_no_longer_in_a_long_line() {
    List<Waiting> waiting = new ArrayList<>();
    for (int i = 0; i < 100_000; i++) {
      waiting.add(new Waiting(i, charges(1)));
      queues.join(waiting.get(i));
    }
    Collections.shuffle(waiting, new Random(1));
    Assertions.assertTimeoutPreemptively(
        FAR_MORE_THAN_IT_TAKES, () -> waiting.forEach(queues::leave));
    assertThat(queues.ahead(charges(1))).isEmpty();
  }

  @Test
  void no_limit_ever_grants_more_than_is_foretold() {
    for (String text :
        List.of(
            "7 per second, burst 3",
            "10 per 3s leaky, capacity 4",
            "5 per second window",
            "5 per second window UTC",
            "6 per 2s sliding",
            "3 per second sliding, sub-windows 1")) {
      assertThat(CounterQueues.mostGranted(Limit.parse(text), Duration.ZERO))
          .as(text)
          .isGreaterThan(0);
      for (int seed = 0; seed < 20; seed++) {
        assertForetold(text, new SplittableRandom(seed));
      }
    }
    assertThat(CounterQueues.mostGranted(Concurrency.of(1), Duration.ZERO))
        .isEqualTo(Long.MAX_VALUE);
  }

  private void assertForetold(String text, SplittableRandom random) {
    Charge one = AcquireRequests.charge("c" + random.nextLong(), text, Subject.of("x"), 1);
    try (LimitStore store = LocalLimitStore.of(LocalOptions.of().withTime(time, time::instant))) {
      time.advance(Duration.ofMillis(random.nextInt(5_000)));
      Duration span = Duration.ofMillis(random.nextInt(8_000));
      long granted = 0;
      for (long millis = 0; millis <= span.toMillis(); millis += 20) {
        while (AcquireRequests.decide(store, one).allowed()) {
          granted++;
        }
        time.advance(Duration.ofMillis(20));
      }
      assertThat(granted)
          .as(text + " in " + span)
          .isLessThanOrEqualTo(CounterQueues.mostGranted(one.counter().limit(), span));
    }
  }
}
