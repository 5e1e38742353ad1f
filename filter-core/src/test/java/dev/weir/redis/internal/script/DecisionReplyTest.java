package dev.weir.redis.internal.script;

import static dev.weir.fixture.AcquireRequests.charge;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.weir.internal.BucketUnits;
import dev.weir.store.AcquireRequest.Charge;
import dev.weir.store.Decision.Verdict;
import dev.weir.store.Subject;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import redis.clients.jedis.exceptions.JedisConnectionException;

/** A reply is read when it is one of our scripts', and otherwise is no answer. */
class DecisionReplyTest {

  private final Charge one = charge("one", "10 per second", Subject.of("a"), 1);
  private final Charge two = charge("two", "10 per second", Subject.of("a"), 1);

  @Test
  void five_integers_for_each_charge_are_read() {
    List<Long> reply = Operation.DECIDE.read(List.of(1L, 9L, 0L, 7L, 3L, 0L, 0L, 5L, 8L, 0L), 2);
    DecisionReply answer = DecisionReply.of(List.of(one, two), reply);
    assertThat(answer.fits()).isFalse();
    assertThat(answer.verdicts()).hasSize(2);
    assertThat(answer.verdicts().get(0).remaining()).isEqualTo(9);
  }

  @Test
  void in_place_of_the_stamp_of_a_denial_is_minus_the_rest_of_a_block() {
    List<Long> reply = Operation.DECIDE.read(List.of(0L, 0L, 8L, 9L, -7L, -1L, 0L, 0L, 9L, -7L), 2);
    assertThat(DecisionReply.of(List.of(one, two), reply).verdicts())
        .extracting(Verdict::blockedFor)
        .containsOnly(Optional.of(Duration.ofNanos(7_000)));
    reply = Operation.DECIDE.read(List.of(0L, 0L, 8L, 9L, 7L), 1);
    assertThat(DecisionReply.of(List.of(one), reply).verdicts().get(0).blockedFor()).isEmpty();
  }

  @Test
  void a_time_outside_of_the_bounds_is_read() {
    List<Long> reply = Operation.DECIDE.read(List.of(-2L, 1_795_000_000_000_000L), 3);
    assertThat(DecisionReply.isOutside(reply)).isTrue();
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
            List.of(0L, 9L, 0L, 7L, 3L),
            List.of(1L, -9L, 0L, 7L, 3L),
            List.of(1L, 9L, 0L, 7L, -3L),
            List.of(0L, 0L, 7L, 7L, -8L),
            List.of(0L, 0L, 7L, 7L, Long.MIN_VALUE),
            List.of(-1L, 0L, 0L, 7L, Long.MIN_VALUE),
            List.of(-2L, BucketUnits.EXACT + 1),
            Arrays.asList(1L, 9L, 0L, null, 3L));
    malformed.forEach(reply -> assertNone(Operation.DECIDE, reply));
  }

  @Test
  void a_partial_grant_is_six_integers_or_a_time() {
    List<Long> reply = Operation.UP_TO.read(List.of(1L, 0L, 0L, 7L, 3L, 4L), 1);
    assertThat(DecisionReply.of(List.of(one), reply).fits()).isTrue();
    assertThat(DecisionReply.isOutside(Operation.UP_TO.read(List.of(-2L, 5L), 1))).isTrue();
    List.of(
            List.of(1L, 0L, 0L, 7L, 3L),
            List.of(1L, 0L, 0L, 7L, 3L, 0L),
            List.of(2L, 0L, 0L, 7L, 3L, 1L),
            List.of(1L, 0L, 0L, 7L, 3L, 1L, 1L))
        .forEach(other -> assertNone(Operation.UP_TO, other));
  }

  @Test
  void a_count_is_one_integer_that_an_int_can_hold() {
    assertThat(Operation.REFUND.read(3L, 1)).containsExactly(3L);
    Arrays.asList(null, "3", -1L, 1L << 31, List.of(), List.of(1L, 2L), List.of("1"))
        .forEach(reply -> assertNone(Operation.REFUND, reply));
  }

  private static void assertNone(Operation requested, @Nullable Object reply) {
    assertThatThrownBy(() -> requested.read(reply, 1))
        .as("%s", reply)
        .isInstanceOf(JedisConnectionException.class)
        .hasMessageContaining("(expected: ");
  }
}
