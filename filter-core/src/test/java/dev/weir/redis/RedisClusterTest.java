package dev.weir.redis;

import static dev.weir.fixture.AcquireRequests.charge;
import static dev.weir.fixture.AcquireRequests.decide;
import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.fixture.AcquireRequests;
import dev.weir.fixture.SideBySide;
import dev.weir.store.AcquireRequest.Charge;
import dev.weir.store.Decision;
import dev.weir.store.Decision.Verdict;
import dev.weir.store.Subject;
import java.time.Duration;
import java.util.HashSet;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Decisions of a cluster: in one slot, and across several. */
@SideBySide
class RedisClusterTest extends ClusterUnderTest {

  @Test
  void every_slot_decides_and_the_limits_of_a_subject_decide_together() {
    Set<Integer> servers = new HashSet<>();
    for (int i = 0; i < 100; i++) {
      Subject subject = Subject.of("user", "u" + i);
      Decision.Counted decision =
          decide(
              store, charge("a", LIMIT, subject, 3), charge("b", "5 per hour window", subject, 2));
      assertThat(AcquireRequests.remaining(decision)).containsExactly(7L, 3L);
      servers.add(serverOf(subject));
    }
    assertThat(servers).hasSize(3);
    assertThat(store.status().primaries()).hasSize(3);
    assertThat(store.isHealthy()).isTrue();
  }

  @Test
  void across_slots_all_are_charged_or_none_and_the_one_that_denies_is_named() {
    Subject[] subjects = {subjectOn(0), subjectOn(1), subjectOn(2)};
    for (int denying = 0; denying < 3; denying++) {
      String round = "round" + denying;
      Charge[] charges = new Charge[3];
      for (int i = 0; i < 3; i++) {
        charges[i] = charge(round + i, i == denying ? "3 per 30 days" : LIMIT, subjects[i], 2);
      }
      Decision.Counted granted = decide(store, charges);
      assertThat(granted.allowed()).isTrue();
      assertThat(granted.verdicts())
          .extracting(verdict -> verdict.counter().name())
          .containsExactly(round + 0, round + 1, round + 2);

      Decision.Counted denied = decide(store, charges);
      assertThat(denied.allowed()).isFalse();
      assertThat(denied.limitName()).hasValue(round + denying);
      for (int i = 0; i < 3; i++) {
        Charge one = charge(round + i, charges[i].counter().limit().toString(), subjects[i], 1);
        assertThat(decide(store, one).binding().remaining()).isEqualTo(i == denying ? 0 : 7);
      }
      AcquireRequests.refund(store, granted);
      assertThat(
              decide(store, charge(round + denying, "3 per 30 days", subjects[denying], 2))
                  .allowed())
          .isTrue();
    }
  }

  @Test
  void across_slots_a_denial_tells_how_every_counter_stands_and_the_longest_wait_binds() {
    Charge fits = charge("fits", LIMIT, subjectOn(0), 3);
    Charge soon = charge("soon", "4 per 10 days", subjectOn(1), 4);
    Charge late = charge("late", "4 per 300 days", subjectOn(2), 4);
    decide(store, soon, late);

    Decision.Counted denied = decide(store, late, fits, soon);
    assertThat(denied.allowed()).isFalse();
    assertThat(denied.verdicts())
        .extracting(verdict -> verdict.counter().name())
        .containsExactly("late", "fits", "soon");
    assertThat(denied.verdicts()).extracting(Verdict::fits).containsExactly(false, true, false);
    assertThat(AcquireRequests.remaining(denied)).containsExactly(0L, 10L, 0L);
    assertThat(denied.verdicts().get(1).resetAfter()).isZero();
    assertThat(denied.limitName()).hasValue("late");
    assertThat(AcquireRequests.retryAfter(denied)).isGreaterThan(Duration.ofDays(299));
    assertThat(denied.receipt().grants()).isEmpty();
    assertThat(decide(store, fits).binding().remaining()).isEqualTo(7);
  }

  @Test
  void across_slots_a_look_tells_how_every_counter_stands_and_charges_none() {
    Charge fits = charge("fits", LIMIT, subjectOn(2), 3);
    Charge full = charge("full", LIMIT, subjectOn(0), 10);
    decide(store, full);
    assertThat(AcquireRequests.remaining(AcquireRequests.peek(store, fits, full)))
        .containsExactly(10L, 0L);
    assertThat(decide(store, fits).binding().remaining()).isEqualTo(7);
  }
}
