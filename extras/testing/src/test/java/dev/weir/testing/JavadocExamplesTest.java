package dev.weir.testing;

import static dev.weir.testing.LimiterAssert.assertThat;

import dev.weir.PeriodLimiter;
import dev.weir.TokenLimiter;
import dev.weir.store.OnOutage;
import dev.weir.store.Source;
import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.Test;

/** The examples of the Javadoc, as they stand there. */
class JavadocExamplesTest {

  @Test
  void of_the_package() {
    TestStore store = TestStore.create();
    TokenLimiter mails = TokenLimiter.of("mails", "5 per minute", store);

    assertThat(mails, store.clock())
        .forSubject("ann")
        .grants(5)
        .denies()
        .withRetryAfter(Duration.ofSeconds(12))
        .after(Duration.ofSeconds(12))
        .grants(1)
        .denies();
  }

  @Test
  void of_the_clock() {
    ManualClock clock = new ManualClock(Instant.parse("2026-03-28T22:59:59Z"));
    TestStore store = TestStore.on(clock);
    PeriodLimiter exports = PeriodLimiter.of("exports", "2 per day window Europe/Berlin", store);

    assertThat(exports, clock).grants(2).denies().after(Duration.ofSeconds(1)).grants(2).denies();
  }

  @Test
  void of_the_store() {
    TestStore store = TestStore.create();
    TokenLimiter votes =
        TokenLimiter.of("votes", "5 per minute", store).withOnOutage(OnOutage.DENY);

    store.fail();
    assertThat(votes, store.clock()).denies().decidedBy(Source.FAIL_CLOSED);
    store.recover();
    assertThat(votes, store.clock()).grants(5).decidedBy(Source.REDIS);
  }

  @Test
  void of_the_assertions() {
    TestStore store = TestStore.create();
    TokenLimiter mails = TokenLimiter.of("mails", "5 per minute", store);

    assertThat(mails, store.clock())
        .forSubject("ann")
        .grants(5)
        .denies()
        .forSubject("bob")
        .grants(1)
        .withRemaining(4)
        .forSubject("ann")
        .denies()
        .afterItsRetry()
        .grants(1);
  }
}
