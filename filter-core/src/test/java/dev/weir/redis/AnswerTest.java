package dev.weir.redis;

import static dev.weir.Asks.charge;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.weir.Charge;
import dev.weir.StoreUnavailableException;
import dev.weir.Subject;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;

/** A reply is read when it is one of our scripts', and otherwise is no answer. */
class AnswerTest {

  private final Charge one = charge("one", "10 per second", Subject.of("a"), 1);
  private final Charge two = charge("two", "10 per second", Subject.of("a"), 1);

  @Test
  void five_integers_for_each_charge_are_read() throws Exception {
    List<Long> reply = Reply.of(List.of(1L, 9L, 0L, 7L, 3L, 0L, 0L, 5L, 8L, 0L), 2);
    Answer answer = Answer.of(List.of(one, two), reply);
    assertThat(answer.fits()).isFalse();
    assertThat(answer.verdicts()).hasSize(2);
    assertThat(answer.verdicts().get(0).remaining()).isEqualTo(9);
  }

  @Test
  void a_time_outside_of_the_bounds_is_read() throws Exception {
    assertThat(Answer.isOutside(Reply.of(List.of(-2L, 1_795_000_000_000_000L), 3))).isTrue();
  }

  @Test
  void whatever_else_is_replied_is_no_answer() {
    List<Object> malformed =
        Arrays.asList(
            null,
            "OK",
            5L,
            List.of(),
            List.of(1L),
            List.of(-2L),
            List.of(1L, 2L),
            List.of(1L, 9L, 0L, 7L),
            List.of(1L, 9L, 0L, 7L, 3L, 1L),
            List.of(1L, 9L, 0L, 7L, "3"),
            List.of(-2L, "now"),
            List.of(-2L, 9L, 0L, 7L, 3L),
            List.of(7L, 9L, 0L, 7L, 3L),
            List.of(0L, 9L, -1L, 7L, 3L),
            List.of(1L, -9L, 0L, 7L, 3L),
            Arrays.asList(1L, 9L, 0L, null, 3L));
    for (Object reply : malformed) {
      assertThatThrownBy(() -> Reply.of(reply, 1))
          .as("%s", reply)
          .isInstanceOf(StoreUnavailableException.class)
          .hasMessageContaining("(expected: ");
    }
  }
}
