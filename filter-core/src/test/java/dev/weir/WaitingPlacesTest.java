package dev.weir;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.util.Set;
import java.util.concurrent.atomic.LongAdder;
import org.junit.jupiter.api.Test;

class WaitingPlacesTest {

  private static final Set<Subject> ANN = Set.of(Subject.of("ann"));
  private static final Set<Subject> BOB = Set.of(Subject.of("bob"));
  private static final Set<Subject> BOTH = Set.of(Subject.of("ann"), Subject.of("bob"));

  private final WaitingPlaces places = new WaitingPlaces(8);

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
    assertThat(taken.sum()).isEqualTo(places.mostOfOne());
  }

  @Test
  void there_is_one_for_each_quarter() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new WaitingPlaces(3))
        .withMessage("most: 3 (expected: >= 4)");
  }
}
