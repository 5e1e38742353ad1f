package dev.weir.near;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import dev.weir.internal.store.CounterKeys;
import dev.weir.internal.store.Scheduler;
import dev.weir.limit.FixedWindow;
import dev.weir.store.AcquireRequest.Charge;
import dev.weir.store.Adjustment;
import dev.weir.store.Counter;
import dev.weir.store.Deadline;
import dev.weir.store.LimitStore.Lending;
import dev.weir.store.LimitStore.Ticker;
import dev.weir.store.StoreUnavailableException;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/**
 * The counters of which this node may hold permits. It fetches their leases from the store, and
 * ends them there. While there are leases, they are maintained in rounds.
 *
 * <p>Thread-safe.
 */
final class TokenLeases {

  private static final int MOST_COUNTERS = 10_000;
  private static final Duration ROUND = Duration.ofMillis(2);
  private static final Duration ENDING = Duration.ofMillis(50);
  private static final Duration CLOSING = Duration.ofMillis(400);

  private final Lending lending;
  private final Ticker ticker;
  private final Scheduler scheduler;
  private final CounterKeys keys = new CounterKeys();
  private final Cache<CounterKeys.CounterKey, TokenLease> counters =
      Caffeine.newBuilder().maximumSize(MOST_COUNTERS).executor(Runnable::run).build();

  /** The leases that hold something, even if the cache has evicted them. */
  private final Set<TokenLease> held = ConcurrentHashMap.newKeySet();

  /** Whether a round is scheduled or under way. */
  private final AtomicBoolean isRoundScheduled = new AtomicBoolean();

  TokenLeases(Lending lending, Ticker ticker, Scheduler scheduler) {
    this.lending = lending;
    this.ticker = ticker;
    this.scheduler = scheduler;
  }

  TokenLease of(Counter counter, long nowNanos) {
    CounterKeys.CounterKey key = keys.of(counter);
    @Nullable TokenLease known = counters.getIfPresent(key);
    if (known != null && known.limit().equals(counter.limit())) {
      return known;
    }
    // it has other numbers: the permits of the old lease are returned in time
    return counters
        .asMap()
        .compute(
            key,
            (same, present) ->
                present != null && present.limit().equals(counter.limit())
                    ? present
                    : new TokenLease(key, counter.limit(), nowNanos));
  }

  /**
   * Fetches a lease, unless another thread does.
   *
   * @throws StoreUnavailableException when the store could not lend in time; the lease is lost then
   */
  void fetch(TokenLease lease, Charge charge, Deadline due) throws StoreUnavailableException {
    if (!lease.enter()) {
      return;
    }
    try {
      long sentNanos = ticker.nanoTime();
      long wanted = lease.begin(charge.permits(), sentNanos);
      if (wanted > 0) {
        fetch(lease, new Charge(charge.counter(), wanted), due, sentNanos);
      }
    } finally {
      lease.leave();
    }
    if (lease.isRevoked()) { // the revoking thread could not enter
      if (lease.limit() instanceof FixedWindow) {
        lose(lease); // it may have been reset: this only reduces what is allowed
      } else {
        end(lease, due);
      }
    }
  }

  private void lose(TokenLease lease) {
    if (lease.enter()) {
      lease.lose(ticker.nanoTime());
      lease.leave();
    }
  }

  private void fetch(TokenLease lease, Charge wanted, Deadline due, long sentNanos)
      throws StoreUnavailableException {
    try {
      Lending.Lease lent = lending.lend(wanted, lease.settled(), due);
      lease.finish(lent, wanted.permits(), sentNanos, ticker.nanoTime());
    } catch (StoreUnavailableException | RuntimeException | Error unknown) {
      lease.lose(sentNanos);
      throw unknown;
    }
    if (lease.isHeld()) {
      held.add(lease);
      scheduleRound(); // also if the last round has failed
    }
  }

  private void scheduleRound() {
    if (!isRoundScheduled.getAndSet(true)) {
      Scheduler.Pending unused = scheduler.in(ROUND, this::runRound);
    }
  }

  private void runRound() {
    try {
      long nowNanos = ticker.nanoTime();
      for (TokenLease lease : held) {
        if (lease.isEnding(nowNanos)) { // it is not fetched again
          end(lease, Deadline.within(ENDING));
        }
        if (!lease.isHeld()) {
          forget(lease);
        }
      }
    } finally {
      isRoundScheduled.set(false);
    }
    if (!held.isEmpty()) {
      scheduleRound();
    }
  }

  /** Forgets the lease, unless it holds something again by then. */
  private void forget(TokenLease lease) {
    held.remove(lease);
    if (lease.isHeld()) {
      held.add(lease);
    }
  }

  /**
   * Ends the lease, unless the next one is being fetched. Permits that cannot be returned are lost.
   */
  private void end(TokenLease lease, Deadline deadline) {
    if (!lease.enter()) {
      return;
    }
    try {
      Lending.@Nullable Ending ending = lease.end(ticker.nanoTime());
      if (ending != null) {
        lending.end(ending, deadline.begun());
      }
    } catch (StoreUnavailableException lost) {
      // this only reduces what is allowed, and must not be reported twice
    } finally {
      lease.leave();
    }
  }

  /**
   * Revokes a lease after its counter was changed, or may have been. Neither its permits nor those
   * being fetched are spent any more. The latter are given up as soon as they arrive.
   */
  void revoke(Adjustment.OfCounter adjustment, Deadline due) {
    @Nullable TokenLease lease = counters.getIfPresent(keys.of(adjustment.counter()));
    if (lease != null) {
      lease.revoke();
      if (adjustment instanceof Adjustment.Reset
          && adjustment.counter().limit() instanceof FixedWindow) {
        lose(lease); // returned permits would credit the next window, of which others took some
      } else {
        end(lease, due);
      }
      lease.stopSpending(); // what is kept while the next lease is fetched
    }
  }

  int held() {
    return held.size();
  }

  /** Ends the rounds, and returns what is left of leases, as far as the store can be reached. */
  void end() {
    scheduler.close();
    Deadline due = Deadline.after(CLOSING);
    held.forEach(lease -> end(lease, due));
  }
}
