package dev.weir.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.weir.limit.Limit;
import dev.weir.store.Decision.Receipt;
import dev.weir.store.Decision.Retry;
import dev.weir.store.Decision.Verdict;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** A decision names the limit that binds. */
class DecisionTest {

  private static final Duration SECOND = Duration.ofSeconds(1);
  private static final Duration MINUTE = Duration.ofMinutes(1);

  private static Verdict verdict(String name, long remaining, Retry retry) {
    return new Verdict(
        new Counter(name, Limit.parse("10 per minute"), Subject.global()),
        remaining,
        retry,
        MINUTE);
  }

  private static Decision.Counted decision(Verdict... verdicts) {
    return Decision.counted(Source.LOCAL, List.of(verdicts), Receipt.nothing(Source.LOCAL));
  }

  @Test
  void a_verdict_is_blocked_for_no_longer_than_it_waits() {
    Verdict blocked = blocked(new Retry.After(MINUTE), MINUTE);
    assertThat(blocked.blockedFor()).hasValue(MINUTE);
    assertThat(blocked.notOwn().blockedFor()).hasValue(MINUTE);
    assertThat(blocked.withRetry(new Retry.After(MINUTE.plus(SECOND))).blockedFor())
        .hasValue(MINUTE);
    assertThat(blocked(Retry.NEVER, MINUTE).blockedFor()).hasValue(MINUTE);
    assertThat(blocked(Retry.NOW, Duration.ZERO).blockedFor()).isEmpty();
    assertThatIllegalArgumentException()
        .isThrownBy(() -> blocked.withRetry(Retry.NOW))
        .withMessageStartingWith("blockedNanos: 60000000000 (expected: ");
    assertThatIllegalArgumentException().isThrownBy(() -> blocked(new Retry.After(SECOND), MINUTE));
    assertThatIllegalArgumentException().isThrownBy(() -> blocked(Retry.NOW, Duration.ofNanos(-1)));
  }

  private static Verdict blocked(Retry retry, Duration time) {
    Counter counter = verdict("blocked", 0, retry).counter();
    return new Verdict(counter, 0, retry, MINUTE.toNanos(), true, time.toNanos());
  }

  @Test
  void it_is_allowed_when_every_counter_fits() {
    assertThat(decision(verdict("a", 1, Retry.NOW)).allowed()).isTrue();
    assertThat(decision(verdict("a", 1, Retry.NOW), verdict("b", 0, Retry.NOW)).allowed()).isTrue();
    assertThat(
            decision(verdict("a", 1, Retry.NOW), verdict("b", 0, new Retry.After(SECOND)))
                .allowed())
        .isFalse();
    assertThat(decision(verdict("a", 1, Retry.NEVER)).allowed()).isFalse();
  }

  @Test
  void of_those_that_deny_the_longest_wait_binds_and_never_is_the_longest() {
    Verdict fits = verdict("fits", 0, Retry.NOW);
    Verdict soon = verdict("soon", 0, new Retry.After(SECOND));
    Verdict late = verdict("late", 5, new Retry.After(MINUTE));
    Verdict never = verdict("never", 9, Retry.NEVER);

    Decision.Counted waits = decision(fits, soon, late);
    assertThat(waits.limitName()).hasValue("late");
    assertThat(waits.retryAfter()).hasValue(MINUTE);
    assertThat(waits.remaining()).hasValue(5);
    assertThat(waits.isNeverSatisfiable()).isFalse();

    Decision.Counted hopeless = decision(fits, never, late);
    assertThat(hopeless.binding()).isEqualTo(never);
    assertThat(hopeless.retryAfter()).isEmpty();
    assertThat(hopeless.isNeverSatisfiable()).isTrue();
  }

  @Test
  void what_was_not_counted_has_nothing_remaining_and_no_delay() {
    for (Decision decision : List.of(Decision.failOpen(), Decision.failClosed(SECOND))) {
      assertThat(decision.remaining()).isEmpty();
      assertThat(decision.granted()).isEmpty();
      assertThat(decision.limitName()).isEmpty();
      assertThat(decision.limit()).isEmpty();
      assertThat(decision.resetAfter()).isEmpty();
      assertThat(decision.isNeverSatisfiable()).isFalse();
      assertThat(decision.delay()).isZero();
    }
  }

  @Test
  void of_those_that_fit_the_one_with_the_fewest_permits_left_binds() {
    Decision.Counted decision =
        decision(
            verdict("many", 9, Retry.NOW),
            verdict("few", 2, Retry.NOW),
            verdict("as few", 2, Retry.NOW));
    assertThat(decision.limitName()).hasValue("few");
    assertThat(decision.retryAfter()).isEmpty();
    assertThat(decision.resetAfter()).hasValue(MINUTE);
    assertThat(decision.limit()).hasValue(Limit.parse("10 per minute"));
  }

  @Test
  void what_the_policy_decides_counts_nothing() {
    assertThat(Decision.failOpen().allowed()).isTrue();
    assertThat(Decision.failOpen().source()).isEqualTo(Source.FAIL_OPEN);
    assertThat(Decision.failOpen().retryAfter()).isEmpty();
    assertThat(Decision.failClosed(SECOND).allowed()).isFalse();
    assertThat(Decision.failClosed(SECOND).source()).isEqualTo(Source.FAIL_CLOSED);
    assertThat(Decision.failClosed(SECOND).retryAfter()).hasValue(SECOND);
  }

  @Test
  void what_is_no_decision_is_told_why() {
    assertThatIllegalArgumentException()
        .isThrownBy(DecisionTest::decision)
        .withMessage("verdicts: [] (expected: at least one)");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new Decision.ByPolicy(Source.LOCAL, Optional.empty()))
        .withMessage("source: LOCAL (expected: FAIL_OPEN or FAIL_CLOSED)");
    for (Duration none : List.of(Duration.ZERO, Duration.ofNanos(-1))) {
      assertThatIllegalArgumentException()
          .isThrownBy(() -> new Retry.After(none))
          .withMessage("retry: " + none + " (expected: > 0)");
    }
  }
}
