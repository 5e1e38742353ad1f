package dev.weir.near;

import static dev.weir.fixture.AcquireRequests.charge;
import static dev.weir.fixture.AcquireRequests.decide;
import static dev.weir.fixture.AcquireRequests.refund;
import static dev.weir.fixture.AcquireRequests.retryAfter;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.management.ThreadMXBean;
import dev.weir.fixture.AcquireRequests;
import dev.weir.fixture.DelegatingStore;
import dev.weir.fixture.ManualTime;
import dev.weir.local.LocalLimitStore;
import dev.weir.local.LocalOptions;
import dev.weir.store.AcquireRequest;
import dev.weir.store.AcquireRequest.Charge;
import dev.weir.store.Adjustment;
import dev.weir.store.Decision;
import dev.weir.store.LimitStore;
import dev.weir.store.Source;
import dev.weir.store.StoreUnavailableException;
import dev.weir.store.Subject;
import java.lang.management.ManagementFactory;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A denial is remembered for as long as it is certain, and nothing else is. */
class DenyCacheTest {

  private static final Duration CAP = Duration.ofSeconds(1);
  private static final Duration NANO = Duration.ofNanos(1);
  private static final Subject ALICE = Subject.of("user", "alice");

  private final ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
  private final ManualTime time = new ManualTime();
  private final Counted store =
      new Counted(LocalLimitStore.of(LocalOptions.of().withTime(time, time::instant)));
  private final DenyCache cache = DenyCache.of(store, CAP, time);

  /** Counts what it is asked, and what is done while a decision is on its way. */
  private static final class Counted extends DelegatingStore {

    private int requested;
    private Runnable meanwhile = () -> {};

    private Counted(LimitStore store) {
      super(store);
    }

    @Override
    public Decision decide(AcquireRequest request) throws StoreUnavailableException {
      requested++;
      Decision decision = store.decide(request);
      meanwhile.run();
      return decision;
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"4 per second, burst 1", "1 per 250ms window", "4 per second leaky, capacity 1"})
  void a_denial_is_remembered_until_the_permit_is_due_and_not_a_nanosecond_longer(String limit) {
    Charge one = charge("limit", limit, ALICE, 1);
    assertThat(decide(cache, one).allowed()).isTrue();
    Duration due = retryAfter(decide(cache, one));
    int requested = store.requested;
    time.advance(due.minus(NANO));
    Decision.Counted denied = decide(cache, one);
    assertThat(denied.allowed()).isFalse();
    assertThat(denied.source()).isEqualTo(Source.DENY_CACHE);
    assertThat(retryAfter(denied)).isEqualTo(NANO);
    assertThat(store.requested).isEqualTo(requested);
    time.advance(NANO);
    assertThat(decide(cache, one).allowed()).isTrue();
  }

  @Test
  void only_the_same_request_is_denied_with_it_and_a_larger_or_smaller_one_goes_to_the_store() {
    Charge one = charge("limit", "1 per minute, burst 4", ALICE, 1);
    Charge two = charge("limit", "1 per minute, burst 4", ALICE, 2);
    Charge three = charge("limit", "1 per minute, burst 4", ALICE, 3);
    decide(cache, three);
    assertThat(decide(cache, two).allowed()).isFalse();
    assertThat(decide(cache, two).source()).isEqualTo(Source.DENY_CACHE);
    Decision.Counted larger = decide(cache, three);
    assertThat(larger.source()).isEqualTo(Source.LOCAL);
    assertThat(retryAfter(larger)).isEqualTo(Duration.ofMinutes(2));
    assertThat(decide(cache, one).allowed()).isTrue();
  }

  @Test
  void it_is_remembered_no_longer_than_the_cap_and_tells_how_long_it_lasts_all_the_same() {
    Charge one = charge("limit", "1 per minute", ALICE, 1);
    decide(cache, one);
    decide(cache, one);
    time.advance(CAP.minus(NANO));
    assertThat(retryAfter(decide(cache, one))).isEqualTo(Duration.ofSeconds(59).plus(NANO));
    int requested = store.requested;
    time.advance(NANO);
    assertThat(decide(cache, one).source()).isEqualTo(Source.LOCAL);
    assertThat(store.requested).isEqualTo(requested + 1);
  }

  @Test
  void a_denial_that_is_remembered_knows_a_block_and_counts_it_down() {
    Charge one = charge("limit", "1 per minute", ALICE, 1);
    decide(cache, one);
    AcquireRequests.adjust(cache, new Adjustment.Block(one.counter(), Duration.ofMillis(500)));
    assertThat(decide(cache, one).source()).isEqualTo(Source.LOCAL);
    for (long millis = 500; millis > 0; millis -= 100) {
      Decision.Counted denied = decide(cache, one);
      assertThat(denied.source()).isEqualTo(Source.DENY_CACHE);
      assertThat(denied.binding().blockedFor()).hasValue(Duration.ofMillis(millis));
      time.advance(Duration.ofMillis(100));
    }
    Decision.Counted usedUp = decide(cache, one);
    assertThat(usedUp.source()).isEqualTo(Source.DENY_CACHE);
    assertThat(usedUp.binding().blockedFor()).isEmpty();
    assertThat(retryAfter(usedUp)).isEqualTo(Duration.ofMillis(59_500));
  }

  /** Another node gives permits back, or takes some, while the first is on its way. */
  @ParameterizedTest
  @ValueSource(longs = {1, 3})
  void of_two_denials_at_once_the_one_that_ends_sooner_is_remembered(long left) {
    Charge four = charge("limit", "1 per 200ms, burst 8", ALICE, 4);
    decide(store, charge("limit", "1 per 200ms, burst 8", ALICE, 6));
    store.meanwhile =
        () -> {
          store.meanwhile = () -> {};
          if (left == 1) {
            decide(store, charge("limit", "1 per 200ms, burst 8", ALICE, 1));
          } else {
            AcquireRequests.adjust(store, new Adjustment.Reward(four.counter(), 1));
          }
          decide(cache, four);
        };
    decide(cache, four);
    time.advance(Duration.ofMillis(200 * Math.min(2, 4 - left)));
    assertThat(decide(cache, four).source()).isEqualTo(Source.LOCAL);
  }

  @Test
  void of_several_limits_the_one_that_denies_is_remembered() {
    Charge hourly = charge("hourly", "1 per hour", ALICE, 1);
    Charge daily = charge("daily", "9 per day", ALICE, 1);
    decide(cache, hourly, daily);
    decide(cache, daily, hourly);
    Decision.Counted denied = decide(cache, daily, hourly);
    assertThat(denied.source()).isEqualTo(Source.DENY_CACHE);
    assertThat(denied.limitName()).hasValue("hourly");
    assertThat(decide(cache, daily).allowed()).isTrue();
  }

  @Test
  void another_request_that_has_that_limit_among_others_is_asked_for() {
    Charge hourly = charge("hourly", "1 per hour", ALICE, 1);
    Charge yearly = charge("yearly", "1 per 365 days", ALICE, 1);
    decide(cache, yearly);
    decide(cache, hourly);
    assertThat(decide(cache, hourly).allowed()).isFalse();
    Decision.Counted both = decide(cache, hourly, yearly);
    assertThat(both.limitName()).hasValue("yearly");
    assertThat(both.verdicts()).hasSize(2);
    Decision.Counted again = decide(cache, hourly, yearly);
    assertThat(again.source()).isEqualTo(Source.DENY_CACHE);
    assertThat(again.limitName()).hasValue("yearly");
    assertThat(again.verdicts()).hasSize(2);
  }

  @Test
  void its_end_is_reckoned_from_before_the_trip_and_what_is_told_from_after_it() {
    Charge one = charge("limit", "4 per second, burst 1", ALICE, 1);
    decide(cache, one);
    store.meanwhile = () -> time.advance(Duration.ofMillis(40));
    Duration due = retryAfter(decide(cache, one));
    store.meanwhile = () -> {};
    time.advance(Duration.ofMillis(100));
    Decision.Counted denied = decide(cache, one);
    assertThat(denied.source()).isEqualTo(Source.DENY_CACHE);
    assertThat(retryAfter(denied)).as("suffices").isEqualTo(due.minusMillis(100));
    time.advance(Duration.ofMillis(110));
    assertThat(decide(cache, one).allowed()).as("due since the trip began").isTrue();
  }

  @Test
  void what_is_granted_in_between_makes_it_untrue() {
    Charge five = charge("limit", "1 per minute, burst 10", ALICE, 5);
    Charge four = charge("limit", "1 per minute, burst 10", ALICE, 4);
    decide(cache, charge("limit", "1 per minute, burst 10", ALICE, 6));
    assertThat(retryAfter(decide(cache, five))).isEqualTo(Duration.ofMinutes(1));
    assertThat(decide(cache, four).allowed()).isTrue();
    assertThat(retryAfter(decide(cache, five))).isEqualTo(Duration.ofMinutes(5));
  }

  @Test
  void so_does_what_is_granted_while_the_denial_is_on_its_way() {
    Charge five = charge("limit", "1 per minute, burst 10", ALICE, 5);
    Charge four = charge("limit", "1 per minute, burst 10", ALICE, 4);
    decide(cache, charge("limit", "1 per minute, burst 10", ALICE, 6));
    store.meanwhile =
        () -> {
          store.meanwhile = () -> {};
          decide(cache, four);
        };
    assertThat(retryAfter(decide(cache, five))).isEqualTo(Duration.ofMinutes(1));
    assertThat(retryAfter(decide(cache, five))).isEqualTo(Duration.ofMinutes(5));
  }

  @Test
  void nothing_is_remembered_by_a_store_that_was_closed() {
    Charge one = charge("limit", "1 per hour", ALICE, 1);
    decide(cache, one);
    decide(cache, one);
    cache.close();
    assertThatThrownBy(() -> cache.decide(AcquireRequests.request(one)))
        .isInstanceOf(StoreUnavailableException.class);
  }

  @Test
  void permits_that_this_node_gives_back_end_it() {
    Charge one = charge("limit", "1 per hour", ALICE, 1);
    for (Adjustment.OfCounter more :
        List.of(new Adjustment.Reward(one.counter(), 1), new Adjustment.Reset(one.counter()))) {
      decide(cache, one);
      assertThat(decide(cache, one).allowed()).isFalse();
      AcquireRequests.adjust(cache, more);
      Decision.Counted granted = decide(cache, one);
      assertThat(granted.allowed()).as("%s", more).isTrue();
      assertThat(decide(cache, one).allowed()).isFalse();
      refund(cache, granted);
      assertThat(decide(cache, one).allowed()).as("given back").isTrue();
    }
  }

  @Test
  void so_do_those_that_come_back_while_the_denial_is_on_its_way() {
    Charge one = charge("limit", "1 per hour", ALICE, 1);
    Decision.Counted granted = decide(cache, one);
    store.meanwhile =
        () -> {
          store.meanwhile = () -> {};
          refund(cache, granted);
        };
    assertThat(decide(cache, one).allowed()).isFalse();
    assertThat(decide(cache, one).allowed()).isTrue();
  }

  @Test
  void what_is_held_is_asked_for_each_time() {
    Charge one = charge("limit", "1 concurrent", ALICE, 1);
    decide(cache, one);
    decide(cache, one);
    decide(cache, one);
    assertThat(store.requested).isEqualTo(3);
  }

  @Test
  void what_never_fits_is_not_remembered_nor_is_a_look_or_a_request_that_waits() {
    Charge three = charge("limit", "1 per hour, burst 2", ALICE, 3);
    Charge two = charge("limit", "1 per hour, burst 2", ALICE, 2);
    decide(cache, three);
    assertThat(decide(cache, three).isNeverSatisfiable()).isTrue();
    decide(cache, two);
    decide(cache, two);
    int requested = store.requested;
    AcquireRequests.peek(cache, two);
    AcquireRequests.within(cache, Duration.ZERO, two);
    AcquireRequests.upTo(cache, two);
    assertThat(store.requested).isEqualTo(requested + 3);
  }

  @ParameterizedTest
  @ValueSource(strings = {"PT0S", "PT-1S", "PT1M0.000000001S", "PT2562047788015215H"})
  void a_cap_of_nothing_or_of_more_than_a_minute_is_refused(String cap) {
    Duration wrong = Duration.parse(cap);
    assertThatIllegalArgumentException()
        .isThrownBy(() -> DenyCache.of(store, wrong))
        .withMessage("deny-cache: " + wrong + " (expected: > 0 and at most PT1M)");
  }

  @Test
  void subjects_that_were_chosen_for_their_hash_cost_no_more_than_others() {
    List<Charge> colliding = new ArrayList<>();
    List<Charge> others = new ArrayList<>();
    for (int i = 0; i < 1 << 12; i++) {
      StringBuilder value = new StringBuilder();
      for (int bit = 0; bit < 12; bit++) {
        value.append((i >> bit & 1) == 0 ? "Aa" : "BB");
      }
      colliding.add(charge("limit", "1 per hour", Subject.of("user", value.toString()), 1));
      others.add(charge("limit", "1 per hour", Subject.of("user", "other" + i), 1));
    }
    assertThat(colliding)
        .extracting(one -> one.counter().subject().hashCode())
        .containsOnly(colliding.get(0).counter().subject().hashCode());
    long othersNanos = hits(others);
    assertThat(hits(colliding)).isLessThan(30 * othersNanos);
  }

  @Test
  void to_deny_once_more_takes_little_memory() throws StoreUnavailableException {
    AcquireRequest request = AcquireRequests.request(charge("limit", "1 per hour", ALICE, 1));
    long thread = Thread.currentThread().getId();
    for (int i = 0; i < 20_000; i++) {
      cache.decide(request);
    }
    int requested = store.requested;
    long before = threads.getThreadAllocatedBytes(thread);
    for (int i = 0; i < 10_000; i++) {
      cache.decide(request);
    }
    long each = (threads.getThreadAllocatedBytes(thread) - before) / 10_000;
    assertThat(each).isLessThanOrEqualTo(250);
    assertThat(store.requested).isEqualTo(requested);
  }

  /** What it takes of a processor to deny each of them once more, in the best of some rounds. */
  private long hits(List<Charge> charges) {
    charges.forEach(one -> decide(cache, one));
    charges.forEach(one -> decide(cache, one));
    int requested = store.requested;
    long bestNanos = Long.MAX_VALUE;
    for (int round = 0; round < 10; round++) {
      long beganNanos = threads.getCurrentThreadCpuTime();
      charges.forEach(one -> decide(cache, one));
      bestNanos = Math.min(bestNanos, threads.getCurrentThreadCpuTime() - beganNanos);
    }
    assertThat(store.requested).as("all of them are remembered").isEqualTo(requested);
    return bestNanos;
  }
}
