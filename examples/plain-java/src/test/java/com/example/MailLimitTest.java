package com.example;

import static dev.weir.testing.LimiterAssert.assertThat;
import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.weir.TokenLimiter;
import dev.weir.store.Source;
import dev.weir.testing.ManualClock;
import dev.weir.testing.TestStore;
import java.time.Duration;
import org.junit.jupiter.api.Test;

class MailLimitTest {

  private final ManualClock clock = new ManualClock();
  private final TestStore store = TestStore.on(clock, 2); // as with two nodes
  private final TokenLimiter mails = TokenLimiter.of("mails", "6 per minute", store);

  @Test
  void six_mails_pass_and_then_one_in_ten_seconds() {
    assertThat(mails, clock)
        .forSubject("ann")
        .grants(6)
        .denies()
        .withRetryAfter(Duration.ofSeconds(10))
        .afterItsRetry()
        .grants(1)
        .denies();
  }

  @Test
  void a_large_mail_waits_for_its_permits() throws InterruptedException {
    mails.tryAcquire("ann", 4);
    mails.acquire("ann", 6);
    assertEquals(Duration.ofSeconds(40), clock.elapsed()); // and no real time
  }

  @Test
  void without_redis_each_node_sends_its_share() {
    store.fail();
    assertThat(mails, clock).grants(3).decidedBy(Source.LOCAL).denies();
    store.recover();
    assertThat(mails, clock).grants(6).decidedBy(Source.REDIS).denies();
  }
}
