package dev.weir.local;

import static dev.weir.fixture.AcquireRequests.charge;
import static dev.weir.fixture.AcquireRequests.decide;
import static dev.weir.fixture.AcquireRequests.peek;
import static dev.weir.fixture.AcquireRequests.refund;
import static dev.weir.fixture.AcquireRequests.renew;
import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.fixture.ManualTime;
import dev.weir.store.AcquireRequest.Charge;
import dev.weir.store.Decision;
import dev.weir.store.Subject;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** What is held in process: a node's share, over outages, and where the map is full. */
class LocalHoldsTest {

  private static final String HELD = "6 concurrent, ttl 10s";

  private final ManualTime time = new ManualTime();
  private final Charge one = charge("held", HELD, Subject.of("a"), 1);

  private LocalLimitStore store(int nodes, int maxCounters) {
    return LocalLimitStore.of(
        LocalOptions.of()
            .withNodes(nodes)
            .withMaxCounters(maxCounters)
            .withTime(time, time::instant));
  }

  @Test
  void a_nodes_share_is_rounded_down_and_at_least_one() {
    assertThat(decide(store(1, 10), one).binding().remaining()).isEqualTo(5);
    assertThat(decide(store(4, 10), one).binding().remaining()).isZero();
    assertThat(decide(store(100, 10), one).binding().remaining()).isZero();
  }

  @Test
  void who_holds_goes_on_holding_while_another_store_decides_and_after_it() {
    LocalLimitStore store = store(1, 10);
    Decision.Counted held = decide(store, charge("held", HELD, Subject.of("a"), 6));
    store.suspend();
    for (int i = 0; i < 10; i++) {
      time.advance(Duration.ofSeconds(9));
      assertThat(renew(store, held)).isTrue();
    }
    store.resume();
    assertThat(decide(store, one).allowed()).isFalse();
    refund(store, held);
    assertThat(decide(store, one).allowed()).isTrue();
  }

  @Test
  void a_lease_ends_while_another_store_decides() {
    LocalLimitStore store = store(1, 10);
    Decision.Counted held = decide(store, one);
    store.suspend();
    time.advance(Duration.ofSeconds(10));
    assertThat(renew(store, held)).isFalse();
    store.resume();
    assertThat(peek(store, one).binding().resetAfter()).isZero();
  }

  @Test
  void what_is_held_of_a_counter_that_subjects_share_is_renewed_and_released() {
    LocalLimitStore store = store(1, 1);
    decide(store, one);
    Charge crowd = charge("held", HELD, Subject.of("b"), 4);
    Decision.Counted held = decide(store, crowd);
    assertThat(decide(store, charge("held", HELD, Subject.of("c"), 3)).allowed()).isFalse();
    time.advance(Duration.ofSeconds(9));
    assertThat(renew(store, held)).isTrue();
    time.advance(Duration.ofMillis(999));
    refund(store, held);
    assertThat(decide(store, charge("held", HELD, Subject.of("c"), 6)).allowed()).isTrue();
  }

  @Test
  void who_begins_with_a_copy_of_the_shared_counter_releases_in_both() {
    LocalLimitStore store = store(1, 1);
    decide(store, one);
    Charge crowd = charge("held", HELD, Subject.of("b"), 4);
    Decision.Counted held = decide(store, crowd);
    time.advance(Duration.ofSeconds(9));
    renew(store, held);
    time.advance(Duration.ofSeconds(2));
    assertThat(decide(store, crowd).allowed()).isFalse();
    assertThat(renew(store, held)).isTrue();
    refund(store, held);
    assertThat(decide(store, crowd).binding().remaining()).isEqualTo(2);
    assertThat(decide(store, charge("held", HELD, Subject.of("c"), 6)).allowed()).isTrue();
  }

  @Test
  void what_others_hold_of_the_shared_counter_holds_back_nobody_with_room_of_his_own() {
    LocalLimitStore store = store(1, 1);
    Decision.Counted first = decide(store, one);
    Decision.Counted others = decide(store, charge("held", HELD, Subject.of("b"), 5));
    Charge rest = charge("held", HELD, Subject.of("c"), 1);
    assertThat(decide(store, rest).allowed()).isTrue();
    assertThat(decide(store, rest).allowed()).isFalse();

    refund(store, first);
    assertThat(decide(store, rest).binding().remaining()).isEqualTo(4);
    refund(store, others);
    assertThat(decide(store, rest).binding().remaining()).isEqualTo(3);
  }

  @Test
  void room_is_free_again_when_its_subject_has_released_whatever_others_hold() {
    LocalLimitStore store = store(1, 1);
    Decision.Counted held = decide(store, one);
    decide(store, charge("held", HELD, Subject.of("b"), 6));
    for (int i = 0; i < 5; i++) {
      refund(store, held);
      held = decide(store, charge("held", HELD, Subject.of("newcomer " + i), 6));
      assertThat(held.allowed()).as("newcomer %s", i).isTrue();
    }
  }
}
