package dev.weir.near;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import dev.weir.internal.Expect;
import dev.weir.internal.store.CounterKeys;
import dev.weir.internal.store.CounterKeys.CounterKey;
import dev.weir.store.AcquireRequest;
import dev.weir.store.AcquireRequest.Charge;
import dev.weir.store.AcquireRequest.Mode;
import dev.weir.store.Adjustment;
import dev.weir.store.Counter;
import dev.weir.store.Deadline;
import dev.weir.store.Decision;
import dev.weir.store.LimitStore;
import dev.weir.store.Source;
import dev.weir.store.StoreUnavailableException;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLongArray;
import org.jspecify.annotations.Nullable;

/**
 * Remembers denials of a store, so that a denied client causes one call to the store and not many.
 * Thread-safe. To close it closes the store.
 *
 * <pre>{@code
 * RedisLimitStore redis = RedisLimitStore.connect("redis://localhost", "shop");
 * try (LimitStore store = DenyCache.of(redis, Duration.ofSeconds(1))) {
 *   System.out.println(TokenLimiter.of("calls", "5 per minute", store).tryAcquire("user-42"));
 * }
 * }</pre>
 *
 * <p>Model. A denial states how long the same request stays denied if no other request takes
 * permits. Until then the same request is denied without a call to the store. A request for more or
 * fewer permits goes to the store, which knows when they are due. The end is measured from before
 * the call to the store, which is no later than its decision. No request is denied here after its
 * permits are due there.
 *
 * <p>A request over several counters is remembered by the one that binds, together with the
 * verdicts of the others.
 *
 * <p>Permits also return by refunds, rewards, resets and lifted blocks. Those of this node remove
 * the denials of their counters, including denials in flight. So does an allowed request, which
 * leaves fewer permits. This node is not notified of changes by other nodes, so a denial is
 * remembered no longer than a cap. Nor is it notified when a change that timed out is made later.
 * Nor is it notified when the store failed after it charged some counters of a request, and refunds
 * them later by itself. In these cases a denial is correct when it is made, and the cap bounds how
 * long it outlives that. It is late by no more than the cap, and never early.
 *
 * <p>Concurrency limits are never remembered, because their permits return at any time. Requests
 * for as many permits as there are, those that wait, and those that can never be satisfied are not
 * remembered either.
 *
 * <p>Example. Of 5 per minute the fifth permit is spent at 10 s. At 12 s a request is denied for 10
 * s. With a cap of a second, all requests until 13 s are denied here, with the rest of these 10 s
 * as their wait. The next request goes to the store.
 */
public final class DenyCache implements LimitStore {

  private static final int MOST_DENIALS = 10_000;
  private static final int STRIPES = 1 << 10;
  private static final Duration LONGEST_CAP = Duration.ofMinutes(1);

  private final LimitStore store;
  private final long capNanos;
  private final Ticker ticker;
  private final CounterKeys keys = new CounterKeys();
  private final Cache<CounterKey, Denial> denials;

  /** How often permits of some counters have returned. */
  private final AtomicLongArray returns = new AtomicLongArray(STRIPES);

  /** How often permits of some counters were granted. */
  private final AtomicLongArray grants = new AtomicLongArray(STRIPES);

  private volatile boolean closed;

  /**
   * Returns a cache of what a store denies.
   *
   * @param store closed with this
   * @param cap how long a denial is remembered at most. It bounds how long a client is denied
   *     although another node has refunded permits
   * @throws IllegalArgumentException when the cap is not positive, or longer than a minute
   */
  public static DenyCache of(LimitStore store, Duration cap) {
    return of(store, cap, Ticker.system());
  }

  /** Returns a cache with another source of time. */
  public static DenyCache of(LimitStore store, Duration cap, Ticker ticker) {
    return new DenyCache(store, cap, ticker);
  }

  private DenyCache(LimitStore store, Duration cap, Ticker ticker) {
    this.store = Objects.requireNonNull(store, "store");
    this.ticker = Objects.requireNonNull(ticker, "ticker");
    capNanos = checked(cap).toNanos();
    denials =
        Caffeine.newBuilder()
            .maximumSize(MOST_DENIALS)
            .expireAfterWrite(cap)
            .ticker(ticker::nanoTime)
            .executor(Runnable::run)
            .build();
  }

  /**
   * Returns the same cap, if it is valid.
   *
   * @throws IllegalArgumentException when it is not positive, or longer than a minute
   */
  public static Duration checked(Duration cap) {
    if (cap.isNegative() || cap.isZero() || cap.compareTo(LONGEST_CAP) > 0) {
      throw Expect.failure("deny-cache", cap, "> 0 and at most " + LONGEST_CAP);
    }
    return cap;
  }

  @Override
  public Decision decide(AcquireRequest request) throws StoreUnavailableException {
    if (closed || !mayBeRemembered(request)) {
      Decision decision = store.decide(request);
      if (decision instanceof Decision.Counted counted) {
        // fewer permits are left than when these counters denied
        counted.receipt().grants().forEach(grant -> drop(keys.of(grant.charge().counter())));
      }
      return decision;
    }
    long startNanos = ticker.nanoTime();
    CounterKey[] counterKeys = keys.of(request.charges());
    for (CounterKey key : counterKeys) {
      @Nullable Denial denial = denials.getIfPresent(key);
      if (denial != null && denial.denies(request.charges(), counterKeys, startNanos)) {
        return denial.decision(request.charges(), startNanos);
      }
    }
    long[] before = new long[counterKeys.length];
    Arrays.setAll(before, i -> changes(request.charges().get(i), counterKeys[i]));
    Decision decision = store.decide(request);
    if (decision instanceof Decision.Counted counted) {
      if (counted.allowed()) {
        drop(counterKeys);
      } else {
        remember(request.charges(), counterKeys, counted, before, startNanos);
      }
    }
    return decision;
  }

  private static boolean mayBeRemembered(AcquireRequest request) {
    if (!(request.mode() instanceof Mode.Exactly || request.mode() instanceof Mode.BypassLeases)) {
      return false;
    }
    for (Charge charge : request.charges()) {
      if (charge.isNeverSatisfiable()) {
        return false;
      }
    }
    return true;
  }

  private void drop(CounterKey... all) {
    for (CounterKey key : all) {
      grants.incrementAndGet(stripe(key));
      if (denials.getIfPresent(key) != null) {
        denials.invalidate(key);
      }
    }
  }

  /**
   * Counts the changes that a denial of the charge may not reflect. A denial of a single permit
   * leaves nothing to grant until it ends, so grants do not count. They are frequent, and counters
   * share stripes.
   */
  private long changes(Charge charge, CounterKey key) {
    int stripe = stripe(key);
    return returns.get(stripe) + (charge.permits() > 1 ? grants.get(stripe) : 0);
  }

  private static int stripe(CounterKey key) {
    int hash = key.hashCode();
    return (hash ^ hash >>> 16) & (STRIPES - 1);
  }

  /**
   * Remembers the denial by the counter that binds. The others may have been charged and refunded
   * for it.
   */
  private void remember(
      List<Charge> charges,
      CounterKey[] counterKeys,
      Decision.Counted denied,
      long[] before,
      long startNanos) {
    long replyNanos = ticker.nanoTime();
    Decision.Verdict binding = denied.binding();
    for (int i = 0; i < before.length; i++) {
      Counter counter = charges.get(i).counter();
      if (!counter.equals(binding.counter())) {
        forget(counterKeys[i]);
      } else if (binding.retry() instanceof Decision.Retry.After after
          && !counter.limit().algorithm().isHeld()) {
        long endNanos = startNanos + Math.min(after.nanos(), capNanos);
        // many requests are denied at once, and each would wait for all others to store theirs
        @Nullable Denial known = denials.getIfPresent(counterKeys[i]);
        if (known == null
            || known.endNanos() - endNanos > 0
            || !known.denies(charges, counterKeys, replyNanos)) {
          denials.put(
              counterKeys[i], Denial.of(charges, counterKeys, denied, endNanos, replyNanos));
          if (changes(charges.get(i), counterKeys[i]) != before[i]) {
            denials.invalidate(counterKeys[i]); // changed since the call began
          }
        }
      }
    }
  }

  @Override
  public Set<Decision.Receipt.Grant> adjust(Adjustment adjustment, Deadline deadline)
      throws StoreUnavailableException {
    if (adjustment instanceof Adjustment.OfReceipt ofReceipt
        && ofReceipt.receipt().source() == Source.DENY_CACHE) {
      return Set.of(); // nothing was acquired
    }
    try {
      return store.adjust(adjustment, deadline);
    } finally {
      // afterwards, because a denial decided before it may have arrived by then
      if (adjustment instanceof Adjustment.OfReceipt ofReceipt) {
        ofReceipt.receipt().grants().forEach(grant -> forget(grant.charge().counter()));
      } else if (adjustment instanceof Adjustment.OfCounter ofCounter) {
        forget(ofCounter.counter());
      }
    }
  }

  /** Lends as the store does, and forgets denials of counters to which permits return. */
  @Override
  public Optional<Lending> lending() {
    return store.lending().map(OfStore::new);
  }

  private final class OfStore implements Lending {

    private final Lending lending;

    OfStore(Lending lending) {
      this.lending = lending;
    }

    @Override
    public Lease lend(Charge most, Settlement settled, Deadline deadline)
        throws StoreUnavailableException {
      try {
        return lending.lend(most, settled, deadline);
      } finally {
        if (settled.back() > 0) {
          forget(most.counter());
        }
      }
    }

    @Override
    public void end(Ending ending, Deadline deadline) throws StoreUnavailableException {
      try {
        lending.end(ending, deadline);
      } finally {
        forget(ending.counter());
      }
    }
  }

  private void forget(Counter counter) {
    forget(keys.of(counter));
  }

  private void forget(CounterKey key) {
    returns.incrementAndGet(stripe(key));
    denials.invalidate(key);
  }

  @Override
  public boolean isHealthy() {
    return store.isHealthy();
  }

  @Override
  public void close() {
    closed = true;
    store.close();
  }
}
