package dev.weir.testing;

import dev.weir.limit.Limit;
import dev.weir.store.LimitStore;
import dev.weir.store.OnOutage;
import dev.weir.store.Source;
import dev.weir.store.StoreUnavailableException;
import java.time.Duration;

/**
 * A store for tests, in this process and on a {@link ManualClock}. It stands in for Redis with a
 * fallback in process: it decides by whole limits, with {@link Source#REDIS}, until a test makes it
 * {@link #fail}.
 *
 * <pre>{@code
 * TestStore store = TestStore.create();
 * TokenLimiter votes = TokenLimiter.of("votes", "5 per minute", store).withOnOutage(OnOutage.DENY);
 *
 * store.fail();
 * assertThat(votes, store.clock()).denies().decidedBy(Source.FAIL_CLOSED);
 * store.recover();
 * assertThat(votes, store.clock()).grants(5).decidedBy(Source.REDIS);
 * }</pre>
 *
 * <p>Limiters on this store wait for permits, renew them and lose them in the time of the clock. A
 * limiter over another store that wraps this one waits in real time.
 *
 * <p>Each store counts by itself, so a test that makes its own needs no cleaning up. Closing it
 * forgets everything. Thread-safe.
 */
public sealed interface TestStore extends LimitStore permits ManualStore {

  /** Returns a store on a clock of its own. */
  static TestStore create() {
    return on(new ManualClock());
  }

  /** Returns a store of one node. Its share in an outage is the whole limit. */
  static TestStore on(ManualClock clock) {
    return on(clock, 1);
  }

  /**
   * Returns a store that several nodes share. Only an outage shows that: this node then has its
   * share of each limit.
   *
   * @param nodes how many nodes share each {@link Limit}, at least 1
   * @throws IllegalArgumentException when nodes is not positive
   */
  static TestStore on(ManualClock clock, int nodes) {
    return new ManualStore(clock, nodes);
  }

  /** Returns the clock of this store. */
  ManualClock clock();

  /** Lets time pass on the clock of this store, as {@link ManualClock#advance} does. */
  default void advance(Duration time) {
    clock().advance(time);
  }

  /**
   * Begins an outage. From now on the {@link OnOutage} of each limiter decides: it allows, denies,
   * or limits by this node's share, with {@link Source#LOCAL}. The whole limits stay as they are: a
   * {@code reset}, {@code reward}, {@code block} or {@code unblock} throws {@link
   * StoreUnavailableException}, and permits that are given back return when the outage ends.
   * Idempotent.
   */
  void fail();

  /**
   * Ends the outage. The whole limits decide again. What the share granted is not charged to them.
   */
  void recover();
}
