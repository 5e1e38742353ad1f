package dev.weir.store;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.limit.Limit;
import dev.weir.store.AcquireRequest.Charge;
import dev.weir.store.AcquireRequest.Mode;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

/** A deadline begins once. */
class DeadlineTest {

  private static final Duration HOUR = Duration.ofHours(1);

  @Test
  void one_that_has_not_begun_has_all_of_its_time() {
    Deadline within = Deadline.within(HOUR);
    assertThat(within.hasBegun()).isFalse();
    assertThat(within.remainingNanos()).isEqualTo(HOUR.toNanos());
    assertThat(within.hasPassed()).isFalse();
  }

  @Test
  void one_that_has_begun_is_an_instant() {
    Deadline begun = Deadline.within(HOUR).begun();
    assertThat(begun.begun()).isSameAs(begun);
    assertThat(begun.nanoTime()).isEqualTo(begun.nanos());
    assertThat(begun.remainingNanos()).isPositive().isLessThanOrEqualTo(HOUR.toNanos());
    assertThat(new Deadline(System.nanoTime() - 1).hasPassed()).isTrue();
  }

  @Test
  void the_longest_is_73_years() {
    Deadline longest = Deadline.after(Duration.ofSeconds(Long.MAX_VALUE));
    assertThat(longest.hasPassed()).isFalse();
    assertThat(Duration.ofNanos(longest.remainingNanos()).toDays() / 365).isEqualTo(73);
  }

  @Test
  void an_ask_begins_its_deadline_and_nothing_else() {
    Counter counter = new Counter("limit", Limit.parse("5 per day"), Subject.global());
    List<Charge> charges = List.of(new Charge(counter, 1));
    AcquireRequest request =
        new AcquireRequest(charges, Mode.PEEK, OnOutage.DENY, Deadline.within(HOUR));
    AcquireRequest begun = request.begun();
    assertThat(begun.deadline().hasBegun()).isTrue();
    assertThat(begun)
        .isEqualTo(new AcquireRequest(charges, Mode.PEEK, OnOutage.DENY, begun.deadline()));
    assertThat(begun.begun()).isSameAs(begun);
  }
}
