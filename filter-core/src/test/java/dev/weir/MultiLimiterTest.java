package dev.weir;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.weir.fixture.ManualTime;
import dev.weir.fixture.SwitchableStore;
import dev.weir.local.LocalLimitStore;
import dev.weir.local.LocalOptions;
import dev.weir.store.Decision;
import dev.weir.store.Source;
import dev.weir.store.StoreUnavailableException;
import dev.weir.store.Subject;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/** Several limits at once: all or none, with the one that binds. */
class MultiLimiterTest {

  private final ManualTime time = new ManualTime();
  private final SwitchableStore store =
      new SwitchableStore(LocalLimitStore.of(LocalOptions.of().withTime(time, time::instant)));
  private final MultiLimiter both =
      MultiLimiter.builder()
          .limit("burst", "5 per minute")
          .limit("daily", "7 per day window UTC")
          .store(store)
          .build();
  private final Subject alice = Subject.of("user", "alice");

  @Test
  void a_request_is_charged_to_all_limits_or_to_none() {
    Decision first = both.tryAcquire(alice, 5);
    assertThat(first.limitName()).hasValue("burst");
    assertThat(first.remaining()).hasValue(0);
    assertThat(both.tryAcquire(alice).limitName()).hasValue("burst");
    time.advance(Duration.ofMinutes(1));
    Decision denied = both.tryAcquire(alice, 3);
    assertThat(denied.allowed()).isFalse();
    assertThat(denied.limitName()).hasValue("daily");
    assertThat(denied.retryAfter().orElseThrow()).isGreaterThan(Duration.ofHours(1));
    assertThat(both.tryAcquire(alice, 2).remaining()).hasValue(0);
  }

  @Test
  void a_peek_charges_nothing_and_names_what_binds() {
    assertThat(both.peek(alice, 5).allowed()).isTrue();
    assertThat(both.peek(alice, 6).isNeverSatisfiable()).isTrue();
    assertThat(both.peek(alice, 6).limitName()).hasValue("burst");
    assertThat(both.tryAcquire(alice, 5).allowed()).isTrue();
  }

  @Test
  void as_many_as_all_have_are_acquired_of_each() {
    assertThat(both.tryAcquireUpTo(alice, 100).granted()).hasValue(5);
    time.advance(Duration.ofMinutes(1));
    Decision rest = both.tryAcquireUpTo(alice, 4);
    assertThat(rest.granted()).hasValue(2);
    assertThat(rest.limitName()).hasValue("daily");
    Decision none = both.tryAcquireUpTo(alice, 4);
    assertThat(none.allowed()).isFalse();
    assertThat(none.granted()).hasValue(0);
    assertThat(none.retryAfter()).isPresent();
    int requested = store.requested();
    assertThat(both.tryAcquireUpTo("bob", 3).granted()).hasValue(3);
    assertThat(store.requested()).isEqualTo(requested + 1);
  }

  @Test
  void a_reservation_is_settled_in_each_limit() {
    Reservation reservation = both.reserve(alice, 5);
    reservation.commit(1);
    assertThat(both.tryAcquire(alice, 4).allowed()).isTrue();
    time.advance(Duration.ofMinutes(1));
    assertThat(both.tryAcquire(alice, 2).remaining()).hasValue(0);
  }

  @Test
  void each_limit_is_changed() throws Exception {
    both.tryAcquire(alice, 5);
    both.reward(alice, 2);
    assertThat(both.tryAcquire(alice, 2).allowed()).isTrue();
    both.reset(alice);
    assertThat(both.tryAcquire(alice, 5).allowed()).isTrue();
    both.block(alice, Duration.ofDays(3));
    assertThat(both.peek(alice).retryAfter()).hasValue(Duration.ofDays(3));
    both.unblock(alice);
    assertThat(both.peek(alice).retryAfter())
        .hasValueSatisfying(wait -> assertThat(wait).isLessThan(Duration.ofDays(1)));
    store.switchOff();
    assertThatThrownBy(() -> both.reset(alice)).isInstanceOf(StoreUnavailableException.class);
  }

  @Test
  void a_request_waits_until_all_have_room() throws Exception {
    MultiLimiter fast =
        MultiLimiter.of("10 per second, burst 1", "1000 per day window UTC", "50 per second");
    fast.acquire("u");
    CompletableFuture<Decision> next = fast.tryAcquireAsync("u", Duration.ofSeconds(9));
    assertThat(next.join().allowed()).isTrue();
    fast.acquire("u");
    assertThat(fast.tryAcquire("u", Duration.ZERO).limitName()).hasValue("10 per second, burst 1");
  }

  @Test
  void a_limit_may_count_another_subject() throws Exception {
    MultiLimiter calls =
        MultiLimiter.builder()
            .limit("user", "2 per hour", subject -> subject.only("user"))
            .limit("all", "3 per hour", subject -> Subject.global())
            .store(store)
            .build();
    Subject bob = Subject.of("user", "bob");
    assertThat(calls.tryAcquire(alice, 2).allowed()).isTrue();
    assertThat(calls.tryAcquire(bob, 2).limitName()).hasValue("all");
    assertThat(calls.tryAcquire(bob).allowed()).isTrue();
    calls.reset(bob);
    assertThat(calls.tryAcquire(alice).limitName()).hasValue("user");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> calls.tryAcquire("carol"))
        .withMessage("subject: subject (expected: one with a part 'user')");
  }

  @Test
  void limits_without_names_are_named_by_what_they_print() {
    assertThat(MultiLimiter.of("20/s", "1000/d window UTC"))
        .hasToString(
            "20 per second: 20 per second, 1000 per day window UTC: 1000 per day window UTC");
  }

  @Test
  void an_outage_is_decided_by_the_policy() {
    store.switchOff();
    assertThat(both.tryAcquire(alice).source()).isEqualTo(Source.FAIL_CLOSED);
    assertThat(both.tryAcquireUpTo(alice, 3).source()).isEqualTo(Source.FAIL_CLOSED);
    assertThatThrownBy(() -> both.acquireOrThrow(alice))
        .hasMessage(
            "denied by the outage policy of limit burst, daily of user, source FAIL_CLOSED, retry after"
                + " PT0.321S");
  }

  @Test
  void what_is_no_set_of_limits_is_refused() {
    assertThatIllegalArgumentException()
        .isThrownBy(MultiLimiter::of)
        .withMessage("limits: [] (expected: at least one)");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> MultiLimiter.of("5 per day", "5/day"))
        .withMessage("name: '5 per day' (expected: one that no other of the limits has)");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> MultiLimiter.of("5 per day", "4 concurrent"))
        .withMessage(
            "limit: '4 concurrent' (expected: a limit whose permits are spent; or a"
                + " ConcurrencyLimiter)");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> MultiLimiter.builder().limit("a{b}", "5 per day"))
        .withMessageStartingWith("name: 'a{b}' (expected: ");
  }
}
