package dev.weir;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.weir.fixture.DelegatingStore;
import dev.weir.fixture.ManualScheduler;
import dev.weir.fixture.ManualTime;
import dev.weir.fixture.SwitchableStore;
import dev.weir.internal.permit.PermitManager;
import dev.weir.internal.wait.CounterQueues;
import dev.weir.internal.wait.WaitQueues;
import dev.weir.limit.Limit;
import dev.weir.local.LocalLimitStore;
import dev.weir.local.LocalOptions;
import dev.weir.store.AcquireRequest;
import dev.weir.store.Decision;
import dev.weir.store.LimitStore;
import dev.weir.store.LimiterListener;
import dev.weir.store.StoreUnavailableException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Tasks that run one by one, at an even pace, and none of which is lost. */
class TaskShaperTest {

  private final ManualTime time = new ManualTime();
  private final List<Duration> pauses = new CopyOnWriteArrayList<>();
  private final ManualScheduler timer =
      new ManualScheduler(time) {
        @Override
        public synchronized Pending in(Duration delay, Runnable task) {
          pauses.add(delay);
          return super.in(delay, task);
        }
      };
  private final SwitchableStore store =
      new SwitchableStore(LocalLimitStore.of(LocalOptions.of().withTime(time, time::instant)));
  private final List<Integer> ran = new CopyOnWriteArrayList<>();
  private final TaskShaper shaper = shaper("2 per second leaky, capacity 4");

  private TaskShaper shaper(String pace) {
    return shaper(pace, store);
  }

  private TaskShaper shaper(String pace, LimitStore store) {
    PermitManager permitManager =
        new PermitManager(store, Duration.ofMillis(100), LimiterListener.NONE, timer, time);
    WaitQueues waitQueues =
        new WaitQueues(permitManager, new CounterQueues(timer, Runnable::run, Runnable::run));
    LimiterCore core =
        LimiterCore.of(
            List.of(new LimiterCore.NamedLimit("pace", Limit.parse(pace))), store, waitQueues);
    return TaskShaper.of(new LeakyLimiter(core), 4);
  }

  @AfterEach
  void stop() {
    shaper.stop();
  }

  @Test
  void tasks_run_in_order_at_the_pace() {
    shaper.start();
    offer(shaper, 1, 2, 3);
    for (int i = 1; i <= 3; i++) {
      awaitState(i, Math.min(3, i + 1));
      timer.advance(Duration.ofMillis(499));
      assertThat(ran).hasSize(i);
      timer.advance(Duration.ofMillis(1));
    }
    assertThat(ran).containsExactly(1, 2, 3);
  }

  @Test
  void what_does_not_fit_is_refused_and_what_was_accepted_is_handed_back() {
    offer(shaper, 1, 2, 3, 4);
    assertThat(shaper.offer(() -> ran.add(5))).isFalse();
    shaper.start();
    awaitState(1, 2);
    List<Runnable> rest = shaper.stop();
    assertThat(rest).hasSize(3);
    assertThat(shaper.offer(() -> ran.add(6))).isFalse();
    rest.forEach(Runnable::run);
    assertThat(ran).containsExactly(1, 2, 3, 4);
    assertThat(shaper.stop()).isEmpty();
  }

  @Test
  void two_shapers_of_one_store_keep_one_pace() {
    TaskShaper other = shaper("2 per second leaky, capacity 4");
    offer(shaper, 1, 2);
    offer(other, 11, 12);
    shaper.start();
    other.start();
    for (int i = 1; i <= 4; i++) {
      awaitRan(i);
      awaitState(i, i + (ran.contains(2) ? 0 : 1) + (ran.contains(12) ? 0 : 1));
      timer.advance(Duration.ofMillis(499));
      assertThat(ran).hasSize(i);
      timer.advance(Duration.ofMillis(1));
    }
    other.stop();
  }

  @Test
  void a_task_that_interrupts_its_thread_loses_nobody() {
    shaper.offer(() -> Thread.currentThread().interrupt());
    offer(shaper, 2);
    shaper.start();
    awaitState(0, 2);
    timer.advance(Duration.ofMillis(500));
    awaitState(1, 2);
  }

  @Test
  void a_task_that_throws_holds_up_nobody() {
    shaper.offer(
        () -> {
          throw new IllegalStateException("planted");
        });
    offer(shaper, 2);
    shaper.start();
    awaitState(0, 2);
    timer.advance(Duration.ofMillis(500));
    awaitState(1, 2);
  }

  @Test
  void a_task_that_runs_is_waited_for() throws Exception {
    CountDownLatch running = new CountDownLatch(1);
    CountDownLatch end = new CountDownLatch(1);
    shaper.offer(
        () -> {
          running.countDown();
          awaitQuietly(end);
          ran.add(1);
        });
    shaper.start();
    running.await();
    Thread stops = new Thread(shaper::stop);
    stops.start();
    Awaitility.await().until(() -> stops.getState() == Thread.State.WAITING);
    assertThat(ran).isEmpty();
    end.countDown();
    stops.join();
    assertThat(ran).containsExactly(1);
  }

  @Test
  void what_is_given_back_at_the_stop_is_there_for_others() {
    offer(shaper, 1, 2);
    shaper.start();
    awaitState(1, 2);
    shaper.stop();
    TaskShaper next = shaper("2 per second leaky, capacity 4");
    offer(next, 3);
    next.start();
    awaitState(1, 3);
    timer.advance(Duration.ofMillis(500));
    awaitState(2, 3);
    next.stop();
  }

  @Test
  void a_store_that_may_be_asked_again_at_once_is_asked_after_a_pause() {
    LimitStore hasty =
        new DelegatingStore(store) {
          @Override
          public Decision decide(AcquireRequest request) throws StoreUnavailableException {
            throw new StoreUnavailableException("planted", Duration.ZERO, null);
          }
        };
    TaskShaper waiting = shaper("2 per second leaky, capacity 4", hasty);
    offer(waiting, 1);
    waiting.start();
    Awaitility.await().until(() -> !pauses.isEmpty());
    assertThat(pauses).containsExactly(Duration.ofMillis(100));
    waiting.stop();
  }

  @Test
  void a_shaper_starts_once() {
    shaper.start();
    assertThatThrownBy(shaper::start).isInstanceOf(IllegalStateException.class);
    assertThatIllegalArgumentException()
        .isThrownBy(() -> TaskShaper.of(LeakyLimiter.of("pace", "1 per second leaky", store), 0))
        .withMessage("capacity: 0 (expected: > 0)");
  }

  private void offer(TaskShaper to, int... numbers) {
    for (int number : numbers) {
      assertThat(to.offer(() -> ran.add(number))).isTrue();
    }
  }

  private void awaitRan(int tasks) {
    Awaitility.await().until(() -> ran.size() == tasks);
  }

  /** So many tasks have run, and so often was the pace asked. */
  private void awaitState(int tasks, int requested) {
    Awaitility.await()
        .dontCatchUncaughtExceptions()
        .until(() -> ran.size() == tasks && store.requested() == requested);
  }

  private static void awaitQuietly(CountDownLatch latch) {
    try {
      latch.await();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
