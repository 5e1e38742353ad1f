package dev.weir.internal.wait;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.weir.fixture.Race;
import dev.weir.store.Subject;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.util.Set;
import java.util.concurrent.atomic.LongAdder;
import org.junit.jupiter.api.Test;

class WaiterLimitTest {

  private static final Set<Subject> ANN = Set.of(Subject.of("ann"));
  private static final Set<Subject> BOB = Set.of(Subject.of("bob"));
  private static final Set<Subject> BOTH = Set.of(Subject.of("ann"), Subject.of("bob"));

  private final WaiterLimit places = new WaiterLimit(8);

  @Test
  void one_subject_has_a_quarter() {
    assertThat(places.take(ANN)).isTrue();
    assertThat(places.take(ANN)).isTrue();
    assertThat(places.take(ANN)).isFalse();
    assertThat(places.take(BOB)).isTrue();
    places.leave(ANN);
    assertThat(places.take(ANN)).isTrue();
  }

  @Test
  void a_request_of_several_subjects_takes_one_place_of_each() {
    assertThat(places.take(BOTH)).isTrue();
    assertThat(places.take(ANN)).isTrue();
    assertThat(places.take(BOTH)).as("ann has a quarter").isFalse();
    assertThat(places.take(BOB)).isTrue();
    assertThat(places.take(BOB)).isFalse();
  }

  @Test
  void all_subjects_together_have_all_places() {
    for (int i = 0; i < 8; i++) {
      assertThat(places.take(Set.of(Subject.of("user-" + i)))).isTrue();
    }
    assertThat(places.take(ANN)).isFalse();
    places.leave(Set.of(Subject.of("user-0")));
    assertThat(places.take(ANN)).isTrue();
  }

  @Test
  void many_threads_take_no_more_than_there_are() throws Exception {
    LongAdder taken = new LongAdder();
    Race.run(thread -> taken.add(places.take(ANN) ? 1 : 0));
    assertThat(taken.sum()).as("a quarter").isEqualTo(2);
  }

  @Test
  void subjects_of_one_hash_are_found_as_fast_as_others() {
    WaiterLimit many = new WaiterLimit(100_000);
    ThreadMXBean threads = ManagementFactory.getThreadMXBean();
    long beganNanos = threads.getCurrentThreadCpuTime();
    for (int i = 0; i < 1 << 14; i++) {
      assertThat(many.take(Set.of(Subject.of(ofOneHash(i))))).isTrue();
    }
    assertThat(threads.getCurrentThreadCpuTime() - beganNanos).isLessThan(5_000_000_000L);
  }

  /** "Aa" and "BB" have one hash, and so have all that are made of as many of them. */
  private static String ofOneHash(int number) {
    StringBuilder text = new StringBuilder();
    for (int bit = 0; bit < 14; bit++) {
      text.append((number >> bit & 1) == 0 ? "Aa" : "BB");
    }
    return text.toString();
  }

  @Test
  void there_is_one_for_each_quarter() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new WaiterLimit(3))
        .withMessage("most: 3 (expected: >= 4)");
  }
}
