package dev.weir.testing;

import static dev.weir.testing.LimiterAssert.assertThat;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import dev.weir.LeakyLimiter;
import dev.weir.MultiLimiter;
import dev.weir.PeriodLimiter;
import dev.weir.TokenLimiter;
import dev.weir.store.OnOutage;
import dev.weir.store.Source;
import dev.weir.store.Subject;
import java.time.Duration;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;

/** Assertions pass for what a limiter does, fail for anything else, and say what it did. */
class LimiterAssertTest {

  private final TestStore store = TestStore.create();
  private final ManualClock clock = store.clock();
  private final TokenLimiter mails = TokenLimiter.of("mails", "5 per minute", store);

  @Test
  void what_a_limiter_does_passes() {
    assertThat(mails, clock)
        .grants(5)
        .withRemaining(0)
        .denies()
        .withRetryAfter(Duration.ofSeconds(12))
        .decidedBy(Source.REDIS)
        .after(Duration.ofSeconds(12))
        .grants(1)
        .denies()
        .afterItsRetry()
        .grants(1)
        .denies();
    assertThat(clock.elapsed()).isEqualTo(Duration.ofSeconds(24));
  }

  @Test
  void any_limiter_will_do() {
    PeriodLimiter window = PeriodLimiter.of("window", "2 per hour window", store);
    assertThat(window, clock).grants(2).denies().afterItsRetry().grants(2).denies();
    MultiLimiter several = MultiLimiter.of(store, "3 per minute window", "2 per second");
    assertThat(several, clock).grants(2).denies().afterItsRetry().grants(1).denies();
    LeakyLimiter leaky = LeakyLimiter.of("leaky", "2 per second leaky", store);
    assertThat(leaky, clock).grants(1).denies().withRetryAfter(Duration.ofMillis(500));
  }

  @Test
  void each_subject_has_its_own_permits() {
    assertThat(mails, clock)
        .grants(5)
        .denies()
        .forSubject("ann")
        .grants(5)
        .denies()
        .forSubject(Subject.of("tenant", "ann"))
        .grants(5)
        .denies()
        .forSubject("ann")
        .denies()
        .forSubject(Subject.global())
        .denies();
    assertThat(mails.peek(Subject.of("ann")).allowed()).isFalse();
  }

  @Test
  void a_request_may_cost_more_than_one_permit() {
    assertThat(mails, clock).costing(2).grants(2).denies().costing(1).grants(1).denies();
  }

  @Test
  void too_few_grants_fail_at_the_first_denial() {
    assertFails(
        () -> assertThat(mails, clock).grants(7),
        """
        limiter: mails: 5 per minute
        expected: 7 requests of 1 permit granted
        but was: 5 granted, the next denied
        decision: denied by mails, remaining 0, retry-after PT12S, source REDIS
        clock: 2026-01-01T00:00:00Z, PT0S after the start""");
    assertThat(mails.peek(Subject.global()).retryAfter()).hasValue(Duration.ofSeconds(12));
  }

  @Test
  void a_request_that_never_fits_has_no_retry_after() {
    assertFails(
        () -> assertThat(mails, clock).costing(6).grants(1),
        """
        limiter: mails: 5 per minute
        expected: 1 request of 6 permits granted
        but was: 0 granted, the next denied
        decision: denied by mails, remaining 5, retry-after none, source REDIS
        clock: 2026-01-01T00:00:00Z, PT0S after the start""");
  }

  @Test
  void a_grant_too_many_fails() {
    assertFails(
        () -> assertThat(mails, clock).grants(4).after(Duration.ofSeconds(1)).denies(),
        """
        limiter: mails: 5 per minute
        expected: 1 request of 1 permit denied
        but was: granted
        decision: allowed, remaining 0, retry-after none, source REDIS
        clock: 2026-01-01T00:00:01Z, PT1S after the start""");
  }

  @Test
  void another_retry_after_fails() {
    assertFails(
        () -> assertThat(mails, clock).grants(5).denies().withRetryAfter(Duration.ofSeconds(11)),
        """
        limiter: mails: 5 per minute
        expected: retry-after PT11S
        but was: retry-after PT12S
        decision: denied by mails, remaining 0, retry-after PT12S, source REDIS
        clock: 2026-01-01T00:00:00Z, PT0S after the start""");
  }

  @Test
  void another_remainder_fails() {
    assertFails(
        () -> assertThat(mails, clock).grants(1).withRemaining(3),
        """
        limiter: mails: 5 per minute
        expected: remaining 3
        but was: remaining 4
        decision: allowed, remaining 4, retry-after none, source REDIS
        clock: 2026-01-01T00:00:00Z, PT0S after the start""");
  }

  @Test
  void another_source_fails() {
    store.fail();
    assertFails(
        () -> assertThat(mails.withOnOutage(OnOutage.DENY), clock).denies().decidedBy(Source.REDIS),
        """
        limiter: mails: 5 per minute
        expected: source REDIS
        but was: source FAIL_CLOSED
        decision: denied, remaining none, retry-after PT1S, source FAIL_CLOSED
        clock: 2026-01-01T00:00:00Z, PT0S after the start""");
  }

  @Test
  void a_retry_that_nobody_was_told_fails() {
    assertFails(
        () -> assertThat(mails, clock).costing(6).denies().afterItsRetry(),
        """
        limiter: mails: 5 per minute
        expected: a retry-after
        but was: none
        decision: denied by mails, remaining 5, retry-after none, source REDIS
        clock: 2026-01-01T00:00:00Z, PT0S after the start""");
  }

  @Test
  void no_message_has_a_subject() {
    assertThatExceptionOfType(AssertionError.class)
        .isThrownBy(() -> assertThat(mails, clock).forSubject("secret-key").grants(6))
        .withMessageNotContaining("secret-key");
  }

  @Test
  void what_is_no_question_is_refused() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> assertThat(mails, clock).grants(0))
        .withMessage("requests: 0 (expected: > 0)");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> assertThat(mails, clock).costing(0))
        .withMessage("permitsEach: 0 (expected: > 0)");
    assertThatIllegalStateException()
        .isThrownBy(() -> assertThat(mails, clock).withRemaining(5))
        .withMessage("request: none yet (expected: grants or denies before)");
  }

  private static void assertFails(ThrowingCallable steps, String message) {
    assertThatExceptionOfType(AssertionError.class).isThrownBy(steps).withMessage(message);
  }
}
