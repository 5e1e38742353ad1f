package dev.weir.local;

import static dev.weir.fixture.AcquireRequests.charge;
import static dev.weir.fixture.AcquireRequests.decide;
import static dev.weir.fixture.AcquireRequests.request;
import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.fixture.ManualTime;
import dev.weir.fixture.Race;
import dev.weir.store.AcquireRequest;
import dev.weir.store.Decision;
import dev.weir.store.Decision.Verdict;
import dev.weir.store.Subject;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.LongAdder;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Decisions are linearizable, whatever else goes on. */
class LocalConcurrencyTest {

  private final ManualTime time = new ManualTime();
  private final LocalLimitStore store =
      LocalLimitStore.of(LocalOptions.of().withTime(time, time::instant));
  private final ExecutorService flapper = Executors.newSingleThreadExecutor();

  @AfterEach
  void stop() {
    flapper.shutdownNow();
    store.close();
  }

  @Test
  void every_remaining_count_is_answered_to_one_request_only() throws Exception {
    Set<Long> remaining = ConcurrentHashMap.newKeySet();
    LongAdder admitted = new LongAdder();
    AcquireRequest one = request(charge("limit", "10_000 per 30 days", Subject.of("hot"), 1));
    Race.run(
        thread -> {
          for (int i = 0; i < 2_000; i++) {
            Decision.Counted decision = decide(store, one);
            if (decision.allowed()) {
              admitted.increment();
              remaining.add(decision.binding().remaining());
            }
          }
        });
    assertThat(admitted.sum()).isEqualTo(10_000);
    assertThat(remaining).hasSize(10_000);
  }

  @Test
  void limits_that_are_always_charged_together_are_always_equal() throws Exception {
    List<Subject> subjects = List.of(Subject.of("a"), Subject.of("b"), Subject.of("c"));
    LongAdder admitted = new LongAdder();
    Race.run(
        thread -> {
          Subject subject = subjects.get(thread % 3);
          AcquireRequest forth =
              request(
                  charge("one", "3000 per 30 days", subject, 1),
                  charge("two", "3000 per 30 days window", subject, 1),
                  charge("three", "9000 per 30 days", Subject.global(), 1));
          AcquireRequest back =
              request(forth.charges().get(2), forth.charges().get(1), forth.charges().get(0));
          for (int i = 0; i < 2_000; i++) {
            Decision.Counted decision = decide(store, i % 2 == 0 ? forth : back);
            admitted.add(decision.allowed() ? 1 : 0);
            List<Verdict> verdicts = decision.verdicts();
            assertThat(verdicts.get(1).remaining())
                .isEqualTo(verdicts.get(i % 2 == 0 ? 0 : 2).remaining());
          }
        });
    assertThat(admitted.sum()).isEqualTo(9_000);
  }

  @Test
  void flapping_and_flooding_under_load_mint_nothing() throws Exception {
    AtomicBoolean done = new AtomicBoolean();
    LongAdder admitted = new LongAdder();
    Future<?> flapping =
        flapper.submit(
            () -> {
              while (!done.get()) {
                store.suspend();
                time.advance(Duration.ofMillis(1));
                store.resume();
              }
            });
    Race.run(
        thread -> {
          for (int i = 0; i < 3_000; i++) {
            decide(store, charge("noise", "1 per ms", Subject.of(thread + ":" + i), 1));
            AcquireRequest one =
                request(charge("limit", "5_000 per 30 days", Subject.of("victim"), 1));
            admitted.add(decide(store, one).allowed() ? 1 : 0);
          }
        });
    done.set(true);
    flapping.get();
    assertThat(admitted.sum()).isEqualTo(5_000);
  }

  @Test
  void a_burst_is_granted_once_in_each_outage_however_many_see_it_begin() throws Exception {
    LongAdder admitted = new LongAdder();
    AcquireRequest one = request(charge("limit", "100 per minute", Subject.of("a"), 1));
    for (int outage = 0; outage < 20; outage++) {
      store.suspend();
      time.advance(Duration.ofMinutes(1));
      Race.run(
          thread -> {
            store.resume();
            for (int i = 0; i < 50; i++) {
              admitted.add(decide(store, one).allowed() ? 1 : 0);
            }
          });
    }
    assertThat(admitted.sum()).isEqualTo(20 * 100);
  }
}
