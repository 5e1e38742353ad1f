package dev.weir.testing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.weir.Reservation;
import dev.weir.TokenLimiter;
import dev.weir.store.Decision;
import dev.weir.store.OnOutage;
import dev.weir.store.Source;
import dev.weir.store.StoreUnavailableException;
import dev.weir.store.Subject;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** The store plays Redis: whole limits, outages, and this node's share meanwhile. */
class TestStoreTest {

  private static final Subject ANN = Subject.of("ann");

  private final ManualClock clock = new ManualClock();
  private final TestStore store = TestStore.on(clock, 5);
  private final TokenLimiter votes = TokenLimiter.of("votes", "10 per minute", store);

  @Test
  void it_decides_by_whole_limits_as_redis_does() {
    LimiterAssert.assertThat(votes, clock).grants(10).decidedBy(Source.REDIS).denies();
    assertThat(store.isHealthy()).isTrue();
  }

  @Test
  void it_has_the_clock_that_it_was_given_or_one_of_its_own() {
    assertThat(store.clock()).isSameAs(clock);
    store.advance(Duration.ofSeconds(3));
    assertThat(clock.elapsed()).isEqualTo(Duration.ofSeconds(3));
    assertThat(TestStore.create().clock()).isNotSameAs(TestStore.create().clock());
  }

  @Test
  void stores_count_by_themselves() {
    LimiterAssert.assertThat(votes, clock).grants(10).denies();
    TokenLimiter same = TokenLimiter.of("votes", "10 per minute", TestStore.on(clock));
    LimiterAssert.assertThat(same, clock).grants(10).denies();
  }

  @Test
  void subjects_never_share_a_counter_however_many_there_are() {
    for (int i = 0; i < 150_000; i++) {
      assertThat(votes.tryAcquire(Subject.of("user-" + i), 10).allowed()).isTrue();
    }
  }

  @Test
  void in_an_outage_the_share_of_this_node_decides() {
    LimiterAssert.assertThat(votes, clock).grants(10).denies();
    store.fail();
    assertThat(store.isHealthy()).isFalse();
    LimiterAssert.assertThat(votes, clock)
        .grants(2)
        .decidedBy(Source.LOCAL)
        .denies()
        .withRetryAfter(Duration.ofSeconds(30));
  }

  @Test
  void the_share_of_one_node_is_all() {
    TestStore alone = TestStore.create();
    alone.fail();
    LimiterAssert.assertThat(TokenLimiter.of("votes", "10 per minute", alone), alone.clock())
        .grants(10)
        .decidedBy(Source.LOCAL)
        .denies();
  }

  @Test
  void in_an_outage_the_policy_of_a_limiter_holds() {
    store.fail();
    LimiterAssert.assertThat(votes.withOnOutage(OnOutage.ALLOW), clock)
        .grants(100)
        .decidedBy(Source.FAIL_OPEN);
    LimiterAssert.assertThat(votes.withOnOutage(OnOutage.DENY), clock)
        .denies()
        .decidedBy(Source.FAIL_CLOSED)
        .withRetryAfter(Duration.ofSeconds(1));
  }

  @Test
  void after_an_outage_the_whole_limit_has_what_it_had() {
    LimiterAssert.assertThat(votes, clock).grants(6);
    store.fail();
    LimiterAssert.assertThat(votes, clock).grants(2).after(Duration.ofSeconds(6));
    store.recover();
    LimiterAssert.assertThat(votes, clock).grants(5).decidedBy(Source.REDIS).denies();
    assertThat(store.isHealthy()).isTrue();
  }

  @Test
  void between_outages_the_share_refills_no_further_as_in_production() {
    store.fail();
    LimiterAssert.assertThat(votes, clock)
        .grants(2)
        .denies()
        .withRetryAfter(Duration.ofSeconds(30));
    store.recover();
    LimiterAssert.assertThat(votes, clock)
        .after(Duration.ofSeconds(2)) // long enough to end the outage
        .grants(1)
        .decidedBy(Source.REDIS)
        .after(Duration.ofSeconds(29));
    store.fail();
    LimiterAssert.assertThat(votes, clock).denies().withRetryAfter(Duration.ofSeconds(28));
  }

  @Test
  void in_an_outage_no_counter_can_be_changed_by_hand() {
    store.fail();
    assertThatExceptionOfType(StoreUnavailableException.class)
        .isThrownBy(() -> votes.reset(ANN))
        .withMessage("the test store is out: fail()");
    assertThatExceptionOfType(StoreUnavailableException.class)
        .isThrownBy(() -> votes.block(ANN, Duration.ofSeconds(1)));
    assertThatExceptionOfType(StoreUnavailableException.class).isThrownBy(() -> votes.unblock(ANN));
    assertThatExceptionOfType(StoreUnavailableException.class)
        .isThrownBy(() -> votes.reward(ANN, 1));
  }

  @Test
  void what_is_given_back_in_an_outage_returns_after_it() throws Exception {
    Reservation cancelled = votes.reserve(ANN, 4);
    Reservation committed = votes.reserve(ANN, 4);
    store.fail();
    cancelled.cancel();
    committed.commit(1);
    store.recover();
    assertThat(votes.peek(ANN).remaining()).hasValue(9);

    store.fail();
    store.recover();
    assertThat(votes.peek(ANN).remaining()).as("it returns once").hasValue(9);
  }

  @Test
  void what_the_share_granted_returns_to_the_share() throws Exception {
    store.fail();
    Reservation local = votes.reserve(ANN, 2);
    assertThat(votes.tryAcquire(ANN).allowed()).isFalse();
    local.cancel();
    assertThat(votes.tryAcquire(ANN, 2).allowed()).isTrue();
    store.recover();
    assertThat(votes.peek(ANN).remaining()).hasValue(10);
  }

  @Test
  void a_counter_is_changed_by_hand_as_in_any_store() throws Exception {
    LimiterAssert ann = LimiterAssert.assertThat(votes, clock).forSubject(ANN).grants(10).denies();
    votes.reward(ANN, 1);
    ann.grants(1).denies();
    votes.reset(ANN);
    ann.grants(10).denies();
    votes.block(ANN, Duration.ofHours(1));
    ann.after(Duration.ofMinutes(59)).denies().withRetryAfter(Duration.ofMinutes(1));
  }

  @Test
  void a_closed_store_decides_nothing() {
    Reservation reserved = votes.reserve(ANN, 1);
    store.fail();
    reserved.close();
    store.close();
    store.recover();
    Decision decision = votes.tryAcquire(ANN);
    assertThat(decision.source()).isEqualTo(Source.FAIL_CLOSED);
  }

  @Test
  void a_number_of_nodes_is_positive() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> TestStore.on(clock, 0))
        .withMessage("nodes: 0 (expected: > 0)");
  }
}
