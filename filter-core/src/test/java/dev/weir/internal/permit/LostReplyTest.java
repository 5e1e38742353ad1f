package dev.weir.internal.permit;

import static dev.weir.fixture.AcquireRequests.charge;
import static dev.weir.fixture.AcquireRequests.peek;
import static dev.weir.fixture.AcquireRequests.request;
import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.fixture.DelegatingStore;
import dev.weir.fixture.ManualScheduler;
import dev.weir.fixture.ManualTime;
import dev.weir.local.LocalLimitStore;
import dev.weir.local.LocalOptions;
import dev.weir.store.AcquireRequest.Charge;
import dev.weir.store.Adjustment;
import dev.weir.store.Deadline;
import dev.weir.store.Decision.Receipt;
import dev.weir.store.LimitStore;
import dev.weir.store.LimiterListener;
import dev.weir.store.StoreUnavailableException;
import dev.weir.store.Subject;
import java.time.Duration;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** A renewal may have been made though its reply was lost. */
class LostReplyTest {

  private static final Duration LEASE = Duration.ofSeconds(12);
  private static final Duration THIRD = LEASE.dividedBy(3);
  private static final Duration TICK = Duration.ofNanos(1_000);

  private final ManualTime time = new ManualTime();
  private final ManualScheduler scheduler = new ManualScheduler(time);
  private final LimitStore local =
      LocalLimitStore.of(LocalOptions.of().withTime(time, time::instant));
  private final PermitManager permitManager =
      new PermitManager(
          new RepliesLost(local), Duration.ofMillis(100), LimiterListener.NONE, scheduler, time);
  private final Charge held = charge("held", "1 concurrent, ttl 12s", Subject.of("a"), 1);
  private boolean replies = true;
  private boolean hears = true;

  @Test
  void what_cannot_be_released_is_tried_for_as_long_as_it_may_be_held() {
    Permits hold = permitManager.decide(request(held));
    replies = false;
    scheduler.advance(THIRD);
    hears = false;
    scheduler.advance(THIRD.minus(TICK));
    hold.close();
    scheduler.advance(THIRD.plus(THIRD.dividedBy(2)));
    assertThat(hold.isHeld()).isFalse();
    assertThat(peek(local, held).binding().remaining()).as("it was renewed").isZero();
    hears = true;
    scheduler.advance(LEASE.dividedBy(12));
    assertThat(peek(local, held).binding().remaining()).isEqualTo(1);
  }

  @Test
  void of_several_limits_the_one_with_the_longest_time_to_live_may_still_be_held() {
    Charge longer = charge("longer", "1 concurrent, ttl 10m", Subject.of("a"), 1);
    Permits hold = permitManager.decide(request(held, longer));
    replies = false;
    scheduler.advance(THIRD);
    hears = false;
    hold.close();
    scheduler.advance(Duration.ofMinutes(10).minus(LEASE.dividedBy(6)));
    assertThat(peek(local, longer).binding().remaining()).as("it was renewed").isZero();
    hears = true;
    scheduler.advance(LEASE.dividedBy(12));
    assertThat(peek(local, longer).binding().remaining()).isEqualTo(1);
  }

  @Test
  void and_no_longer() {
    Permits hold = permitManager.decide(request(held));
    replies = false;
    scheduler.advance(THIRD);
    hears = false;
    hold.close();
    scheduler.advance(LEASE.plus(LEASE.dividedBy(12)));
    assertThat(scheduler.waiting()).isZero();
  }

  /** Makes changes and loses the replies, or does not even receive the changes. */
  private final class RepliesLost extends DelegatingStore {

    RepliesLost(LimitStore store) {
      super(store);
    }

    @Override
    public Set<Receipt.Grant> adjust(Adjustment adjustment, Deadline deadline)
        throws StoreUnavailableException {
      Set<Receipt.Grant> ended = hears ? store.adjust(adjustment, deadline) : Set.of();
      if (!replies) {
        throw new StoreUnavailableException("lost", Duration.ZERO, null);
      }
      return ended;
    }
  }
}
