package dev.weir.near;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import dev.weir.Amendment;
import dev.weir.Ask;
import dev.weir.Charge;
import dev.weir.Concurrency;
import dev.weir.Counter;
import dev.weir.Deadline;
import dev.weir.Decision;
import dev.weir.LimitStore;
import dev.weir.Retry;
import dev.weir.Source;
import dev.weir.StoreUnavailableException;
import dev.weir.Terms;
import dev.weir.Ticker;
import dev.weir.Verdict;
import dev.weir.internal.CounterKey;
import dev.weir.internal.CounterKeys;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicLongArray;
import org.jspecify.annotations.Nullable;

/**
 * Remembers denials of a store, so that whoever is denied asks it once and not each time.
 *
 * <p>Model. A denial says how long the same request would be denied, if nobody took more. So until
 * then the same request is denied, and a larger one too, and neither need be asked for; but of a
 * sliding window, whose larger requests are due when only the store knows, the same alone. Its end
 * is measured from before the store was asked, which is no later than when it decided: nobody is
 * denied here after his permits are due there.
 *
 * <p>A request over several counters is remembered by the one that binds, and only for the very
 * same request, with all that was said of the others.
 *
 * <p>Otherwise than by time, permits come back by give-backs, rewards and resets. Those of this
 * node end what is remembered of their counters, also of denials that were on their way meanwhile;
 * and so does what is granted, after which there is less. Of those of other nodes this one hears
 * nothing: nothing is remembered for longer than a cap. Nor does it hear when a change that was not
 * answered in time is made after all; nor when the store, which has charged some counters of a
 * request and then failed, gives those back later by itself. In between, a denial is true when it
 * is made, and again the cap bounds for how long it outlives that: it is late by no more, never
 * early.
 *
 * <p>Concurrency limits are never remembered: their permits come back at any time. Nor is what was
 * asked for on other terms than exactly, or is never granted.
 *
 * <p>Example. Of 5 per minute the fifth is spent at 10 s; at 12 s one is denied for 10 s. With a
 * cap of a second, all that come until 13 s are denied here, and told what is left of these 10 s.
 * The next one asks the store.
 *
 * <p>Thread-safe.
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

  /** How often permits of some counters have come back. */
  private final AtomicLongArray returns = new AtomicLongArray(STRIPES);

  private volatile boolean closed;

  /**
   * @param store closed with this
   * @param cap for which a denial is remembered at most, which bounds for how long somebody is
   *     denied though another node has given permits back
   * @throws IllegalArgumentException when the cap is not positive, or longer than a minute
   */
  public DenyCache(LimitStore store, Duration cap) {
    this(store, cap, Ticker.system());
  }

  /** The same with a time of its own. */
  public DenyCache(LimitStore store, Duration cap, Ticker ticker) {
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
   * The same cap, if it is one.
   *
   * @throws IllegalArgumentException when it is not positive, or longer than a minute: somebody may
   *     be denied for so long though another node has given permits back
   */
  public static Duration checked(Duration cap) {
    if (cap.isNegative() || cap.isZero() || cap.compareTo(LONGEST_CAP) > 0) {
      throw new IllegalArgumentException(
          "deny-cache: " + cap + " (expected: > 0 and at most " + LONGEST_CAP + ")");
    }
    return cap;
  }

  @Override
  public Decision decide(Ask ask) throws StoreUnavailableException {
    if (closed || !isRemembered(ask)) {
      return asked(ask);
    }
    long askedNanos = ticker.nanoTime();
    CounterKey[] asked = keys(ask.charges());
    for (CounterKey key : asked) {
      @Nullable Denial denial = denials.getIfPresent(key);
      if (denial != null && denial.denies(ask.charges(), asked, askedNanos)) {
        return denial.decision(ask.charges(), askedNanos);
      }
    }
    long[] returned = returned(asked);
    Decision decision = store.decide(ask);
    if (decision instanceof Decision.Counted counted) {
      if (counted.allowed()) {
        drop(asked);
      } else {
        remember(ask.charges(), asked, counted, returned, askedNanos);
      }
    }
    return decision;
  }

  private CounterKey[] keys(List<Charge> charges) {
    CounterKey[] all = new CounterKey[charges.size()];
    for (int i = 0; i < all.length; i++) {
      all[i] = keys.of(charges.get(i).counter());
    }
    return all;
  }

  private static boolean isRemembered(Ask ask) {
    if (!(ask.terms() instanceof Terms.Exactly || ask.terms() instanceof Terms.Precisely)) {
      return false;
    }
    for (Charge charge : ask.charges()) {
      if (charge.isNeverSatisfiable()) {
        return false;
      }
    }
    return true;
  }

  /** What is granted makes what is remembered of its counters untrue: there is less now. */
  private Decision asked(Ask ask) throws StoreUnavailableException {
    if (ask.terms() instanceof Terms.Leased leased && leased.settled().back() > 0) {
      return lent(ask);
    }
    Decision decision = store.decide(ask);
    if (decision instanceof Decision.Counted counted) {
      counted.receipt().grants().forEach(grant -> drop(keys.of(grant.charge().counter())));
    }
    return decision;
  }

  /** A lease is settled, and permits come back. */
  private Decision lent(Ask ask) throws StoreUnavailableException {
    try {
      return store.decide(ask);
    } finally {
      forget(ask.charges().get(0).counter());
    }
  }

  private void drop(CounterKey... all) {
    for (CounterKey key : all) {
      if (denials.getIfPresent(key) != null) {
        denials.invalidate(key);
      }
    }
  }

  private long[] returned(CounterKey[] asked) {
    long[] all = new long[asked.length];
    for (int i = 0; i < all.length; i++) {
      all[i] = returns.get(stripe(asked[i]));
    }
    return all;
  }

  private static int stripe(CounterKey key) {
    int hash = key.hashCode();
    return (hash ^ hash >>> 16) & (STRIPES - 1);
  }

  /** By the counter that binds. The others may have been charged and given back for it. */
  private void remember(
      List<Charge> charges,
      CounterKey[] asked,
      Decision.Counted denied,
      long[] returned,
      long askedNanos) {
    long saidNanos = ticker.nanoTime();
    Verdict binding = denied.binding();
    for (int i = 0; i < returned.length; i++) {
      Counter counter = charges.get(i).counter();
      if (!counter.equals(binding.counter())) {
        forget(asked[i]);
      } else if (binding.retry() instanceof Retry.After after
          && !(counter.limit() instanceof Concurrency)) {
        long endNanos = askedNanos + Math.min(after.nanos(), capNanos);
        // many are denied at once, and each would wait for all others to put theirs
        @Nullable Denial known = denials.getIfPresent(asked[i]);
        if (known == null || !known.standsFor(charges, asked, endNanos, saidNanos)) {
          put(asked[i], Denial.of(charges, asked, denied, endNanos, saidNanos), returned[i]);
        }
      }
    }
  }

  /** Unless permits have come back since it was asked for, which it may not know of. */
  private void put(CounterKey key, Denial denial, long returned) {
    denials.put(key, denial);
    if (returns.get(stripe(key)) != returned) {
      denials.invalidate(key);
    }
  }

  @Override
  public boolean amend(Amendment amendment, Deadline deadline) throws StoreUnavailableException {
    if (amendment instanceof Amendment.OfReceipt ofReceipt
        && ofReceipt.receipt().source() == Source.DENY_CACHE) {
      return true; // nothing was granted
    }
    try {
      return store.amend(amendment, deadline);
    } finally {
      forget(amendment);
    }
  }

  /** After it was made, for a denial that was decided before it may have come back by then. */
  private void forget(Amendment amendment) {
    if (amendment instanceof Amendment.OfReceipt ofReceipt) {
      ofReceipt.receipt().grants().forEach(grant -> forget(grant.charge().counter()));
    } else if (amendment instanceof Amendment.OfCounter ofCounter) {
      forget(ofCounter.counter());
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
    denials.invalidateAll();
    store.close();
  }
}
