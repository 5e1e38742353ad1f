package dev.weir.near;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import dev.weir.Amendment;
import dev.weir.Ask;
import dev.weir.Charge;
import dev.weir.Counter;
import dev.weir.Deadline;
import dev.weir.Decision;
import dev.weir.FixedWindow;
import dev.weir.LimitStore;
import dev.weir.StoreUnavailableException;
import dev.weir.Terms;
import dev.weir.Ticker;
import dev.weir.internal.CounterKey;
import dev.weir.internal.CounterKeys;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * The counters that this node may hold permits of: fetches their leases from the store, and ends
 * them there.
 *
 * <p>Thread-safe.
 */
final class Leaseholds {

  private static final int MOST_COUNTERS = 10_000;
  private static final Duration ENDING = Duration.ofMillis(50);
  private static final Duration CLOSING = Duration.ofMillis(400);

  private final LimitStore store;
  private final Ticker ticker;
  private final Runnable onHeld;
  private final CounterKeys keys = new CounterKeys();
  private final Cache<CounterKey, Leasehold> counters =
      Caffeine.newBuilder().maximumSize(MOST_COUNTERS).executor(Runnable::run).build();

  /** Those that hold something, be they forgotten by the cache. */
  private final Set<Leasehold> held = ConcurrentHashMap.newKeySet();

  /**
   * @param store lends
   * @param onHeld told when there is something to look after, by {@link #round}
   */
  Leaseholds(LimitStore store, Ticker ticker, Runnable onHeld) {
    this.store = store;
    this.ticker = ticker;
    this.onHeld = onHeld;
  }

  Leasehold of(Counter counter, long nowNanos) {
    CounterKey key = keys.of(counter);
    @Nullable Leasehold known = counters.getIfPresent(key);
    if (known != null && known.isOf(counter.limit())) {
      return known;
    }
    // of other numbers: what that one holds is given back in time
    return counters
        .asMap()
        .compute(
            key,
            (same, present) ->
                present != null && present.isOf(counter.limit())
                    ? present
                    : new Leasehold(key, counter.limit(), nowNanos));
  }

  /** Where it fails, the store is asked for the request itself next, and tells. */
  void fetch(Leasehold leasehold, Charge charge, Ask ask) {
    if (!leasehold.enter()) {
      return;
    }
    try {
      long askedNanos = ticker.nanoTime();
      long wanted = leasehold.begin(charge.permits(), askedNanos);
      if (wanted > 0) {
        fetch(leasehold, new Charge(charge.counter(), wanted), ask, askedNanos);
      }
    } finally {
      leasehold.leave();
    }
    if (leasehold.isRevoked()) {
      forgo(leasehold, ask.deadline()); // who has revoked it could not enter
    }
  }

  /** Of a window it may have been a reset: what is lost then only under-admits. */
  private void forgo(Leasehold leasehold, Deadline due) {
    if (leasehold.limit() instanceof FixedWindow) {
      lose(leasehold);
    } else {
      end(leasehold, due);
    }
  }

  private void lose(Leasehold leasehold) {
    if (leasehold.enter()) {
      leasehold.lose(ticker.nanoTime());
      leasehold.leave();
    }
  }

  private void fetch(Leasehold leasehold, Charge wanted, Ask ask, long askedNanos) {
    boolean isKnown = false;
    try {
      Terms terms = new Terms.Leased(leasehold.settled());
      Decision decision =
          store.decide(new Ask(List.of(wanted), terms, ask.onOutage(), ask.deadline()));
      if (decision instanceof Decision.Lent lent) {
        leasehold.finish(lent, wanted.permits(), askedNanos, ticker.nanoTime());
        isKnown = true;
        lookAfter(leasehold);
      }
    } catch (StoreUnavailableException gone) {
      // and so is the lease
    } finally {
      if (!isKnown) {
        leasehold.lose(askedNanos);
      }
    }
  }

  private void lookAfter(Leasehold leasehold) {
    if (leasehold.isHeld()) {
      held.add(leasehold);
      onHeld.run(); // be it that it fell over its last round
    }
  }

  /**
   * Ends leases that nobody fetches anew.
   *
   * @return whether there are any left to look after
   */
  boolean round() {
    long nowNanos = ticker.nanoTime();
    for (Leasehold leasehold : held) {
      if (leasehold.isEnding(nowNanos)) {
        end(leasehold, Deadline.within(ENDING));
      }
      if (!leasehold.isHeld()) {
        forget(leasehold);
      }
    }
    return !held.isEmpty();
  }

  /** Unless it holds something again by then. */
  private void forget(Leasehold leasehold) {
    held.remove(leasehold);
    if (leasehold.isHeld()) {
      held.add(leasehold);
    }
  }

  /** Unless the next one is being fetched. What cannot be given back is lost. */
  private void end(Leasehold leasehold, Deadline deadline) {
    if (!leasehold.enter()) {
      return;
    }
    try {
      Amendment.@Nullable EndLease ended = leasehold.end(ticker.nanoTime());
      if (ended != null) {
        store.amend(ended, deadline.begun());
      }
    } catch (StoreUnavailableException lost) {
      // it only under-admits, and must not be told twice
    } finally {
      leasehold.leave();
    }
  }

  /**
   * A change was made to a counter, or may have been: what is leased of it is spent no more, nor
   * what is on its way; where some is, as soon as it is here.
   */
  void revoke(Amendment.OfCounter amendment, Deadline due) {
    @Nullable Leasehold leasehold = counters.getIfPresent(keys.of(amendment.counter()));
    if (leasehold != null) {
      leasehold.revoke();
      if (isResetWindow(amendment)) {
        lose(leasehold);
      } else {
        end(leasehold, due);
      }
    }
  }

  /** What is leased of it would be given back to the window that follows, of which others took. */
  private static boolean isResetWindow(Amendment.OfCounter amendment) {
    return amendment instanceof Amendment.Reset
        && amendment.counter().limit() instanceof FixedWindow;
  }

  /** What is left of leases is given back, as far as the store can be reached. */
  void end() {
    Deadline due = Deadline.after(CLOSING);
    held.forEach(leasehold -> end(leasehold, due));
  }
}
