package dev.weir.near;

import dev.weir.internal.store.CounterKeys.CounterKey;
import dev.weir.limit.FixedWindow;
import dev.weir.limit.Limit;
import dev.weir.store.LimitStore.Lending;
import dev.weir.store.LimitStore.Lending.Settlement;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * One counter of which this node may hold permits. Any thread spends them. To change the lease, a
 * thread first {@link #enter enters}, and only one at a time can. The others do not wait. They
 * continue to spend, and call the store when there is nothing to spend.
 *
 * <p>Only the {@link LeaseState} holds the counter itself, while there is one. A client may choose
 * a subject of any length, and requests most subjects once.
 *
 * <p>Times are readings of one ticker. A lease ends here no later than in the store. Its length is
 * measured from before the call to the store. It is also shortened by a thousandth, because no two
 * clocks run at the same speed.
 */
final class TokenLease {

  /** The intended length of a lease. The store lets it live for 10 to 20 ms. */
  static final long HORIZON_NANOS = 15_000_000;

  /** How long before the end of a lease the next one is fetched. */
  private static final long LEAD_NANOS = 5_000_000;

  /** How long before its end a lease is ended if the next one is not fetched. */
  private static final long ENDING_NANOS = 3_000_000;

  /**
   * The shortest time without a fetch after the store lends nothing or too late. It doubles each
   * time.
   */
  private static final long SHORTEST_REST_NANOS = 5_000_000;

  private static final long LONGEST_REST_NANOS = 160_000_000;

  /**
   * The longest rest after a lease that has ended on arrival. No request could use it, so it is
   * rarely tried again.
   */
  private static final long LONGEST_REST_AFTER_LATE_NANOS = 64 * LONGEST_REST_NANOS;

  /** Fewer requests than this within the horizon do not justify a lease. */
  private static final long FEWEST_REQUESTS = 8;

  private static final long DRIFT = 1_000;

  private final CounterKey key;
  private final Limit limit;
  private final DemandRate demandRate;
  private final AvailablePermits available = new AvailablePermits();
  private final AtomicBoolean entered = new AtomicBoolean();
  private final AtomicInteger revocations = new AtomicInteger();
  private volatile @Nullable LeaseState state;
  private volatile long restUntilNanos;

  // The following fields belong to the thread that has entered.
  // Only that thread calls begin, settled, finish, lose and end.

  private Settlement settled = Settlement.NONE;
  private long name;
  private long lentNanos;
  private long out;
  private long level;
  private int revocationsBefore;
  private long restNanos = SHORTEST_REST_NANOS;

  TokenLease(CounterKey key, Limit limit, long nowNanos) {
    this.key = key;
    this.limit = limit;
    this.demandRate = new DemandRate(nowNanos);
    this.restUntilNanos = nowNanos;
  }

  Limit limit() {
    return limit;
  }

  /**
   * Returns the available permits. Only a thread that has seen a {@link #state} before may take
   * them.
   */
  AvailablePermits available() {
    return available;
  }

  /** Returns the state of what may be spent now, or null when nothing may. */
  @Nullable LeaseState state(long nowNanos) {
    @Nullable LeaseState held = state;
    return held == null || held.isEnding(nowNanos, 0) ? null : held;
  }

  void missed(long permits, long nowNanos) {
    demandRate.count(permits, nowNanos);
  }

  /** Returns whether a lease should be fetched before a request for so many permits is decided. */
  boolean isDue(long permits, long nowNanos) {
    @Nullable LeaseState held = state;
    if (nowNanos - restUntilNanos < 0) {
      return false;
    }
    if (held == null || held.isEnding(nowNanos, 0)) {
      return isWorthIt(permits, nowNanos);
    }
    return held.isEnding(nowNanos, LEAD_NANOS) || available.permits() < held.low();
  }

  private boolean isWorthIt(long permits, long nowNanos) {
    return demandRate.in(HORIZON_NANOS, nowNanos) / FEWEST_REQUESTS >= permits;
  }

  /**
   * Returns whether it holds permits that will soon be lost because no further lease was fetched.
   */
  boolean isEnding(long nowNanos) {
    @Nullable LeaseState held = state;
    return held != null && held.isEnding(nowNanos, ENDING_NANOS);
  }

  /** Returns whether there is a lease, even one that has ended. */
  boolean isHeld() {
    return state != null;
  }

  /** Returns whether no other thread has entered. If so, {@link #leave} must follow. */
  boolean enter() {
    return !entered.get() && entered.compareAndSet(false, true);
  }

  void leave() {
    entered.set(false);
  }

  /**
   * Begins to fetch a lease.
   *
   * @return how many permits to request; 0 when it is not worth it, and nothing has begun
   */
  long begin(long permits, long nowNanos) {
    int revocationsNow = revocations.get(); // once: a later revocation is for this fetch
    @Nullable LeaseState held = revocationsNow == revocationsBefore ? state(nowNanos) : null;
    demandRate.count(Math.max(0, level - available.permits()), nowNanos);
    level = available.permits();
    if (!isWorthIt(permits, nowNanos)) {
      restUntilNanos = nowNanos + LEAD_NANOS;
      return 0;
    }
    if (revocationsNow != revocationsBefore && limit instanceof FixedWindow) {
      name = 0; // it may have been a reset: nothing is returned to the window that follows
    }
    long needed = Math.min(AvailablePermits.MOST / 4, demandRate.in(HORIZON_NANOS, nowNanos));
    settle(held == null ? 0 : 2 * needed, nowNanos);
    revocationsBefore = revocationsNow;
    return Math.max(1, needed - settled.kept());
  }

  /** Returns how {@link #begin} settles the previous lease. */
  Settlement settled() {
    return settled;
  }

  private void settle(long most, long nowNanos) {
    long left = available.cut(most);
    long kept = Math.min(left, most);
    settled =
        name == 0 || isLost(nowNanos)
            ? Settlement.NONE
            : new Settlement(name, out, kept, left - kept);
    level = kept;
  }

  /**
   * Returns whether nothing can be settled any more. After the store's clock has moved back,
   * another node may have a lease with the same name. Only a window takes permits back after a
   * lease has ended. Its names repeat too, but not within a window. Half a window is left for calls
   * in flight.
   */
  private boolean isLost(long nowNanos) {
    if (state(nowNanos) != null) {
      return false;
    }
    return !(limit instanceof FixedWindow window)
        || nowNanos - lentNanos >= window.timeToFull().toNanos() / 2;
  }

  /**
   * Takes what the store has lent.
   *
   * @param wanted the requested permits; the store never lends more
   * @param sentNanos before the call to the store
   * @param nowNanos after its reply
   */
  void finish(Lending.Lease lent, long wanted, long sentNanos, long nowNanos) {
    if (isRevoked() || lent.permits() > wanted) {
      lose(sentNanos);
      return;
    }
    if (!lent.carried()) {
      available.cut(0);
      level = 0;
    }
    out = lent.permits() + (lent.carried() ? settled.kept() : 0);
    name = lent.name();
    lentNanos = sentNanos;
    long nanos = TimeUnit.NANOSECONDS.convert(lent.length());
    long endNanos = sentNanos + nanos - nanos / DRIFT;
    // set before the permits can be taken: else a thread could report the previous lease
    state = out == 0 ? null : new LeaseState(lent, endNanos, out / 4);
    available.add(lent.permits());
    level += lent.permits();
    if (isRevoked()) {
      stopSpending(); // it came before these were added
    }
    if (endNanos - nowNanos <= 0) {
      restUntilNanos = nowNanos + longerRest(LONGEST_REST_AFTER_LATE_NANOS);
    } else {
      restUntilNanos = sentNanos + rest(lent.permits(), wanted);
    }
  }

  /**
   * Returns the rest after a fetch. After much less than was requested, an immediate retry finds no
   * more.
   */
  private long rest(long lent, long wanted) {
    if (lent == 0) {
      return longerRest(LONGEST_REST_NANOS);
    }
    restNanos = SHORTEST_REST_NANOS;
    return lent >= wanted / 2 ? 0 : restNanos;
  }

  private long longerRest(long longestNanos) {
    restNanos = Math.min(longestNanos, 2 * restNanos);
    return restNanos;
  }

  /** Ends the lease, because the outcome in the store is unknown. Nothing more is spent. */
  void lose(long nowNanos) {
    end(nowNanos);
    restUntilNanos = nowNanos + HORIZON_NANOS;
  }

  /** Ends the lease, and returns what ends it in the store; null when nothing is left. */
  Lending.@Nullable Ending end(long nowNanos) {
    @Nullable LeaseState held = state;
    settle(0, nowNanos);
    state = null;
    name = 0;
    out = 0;
    return held == null || settled.back() == 0 ? null : new Lending.Ending(held.counter(), settled);
  }

  /** Lets simulations iterate in a fixed order. No lease equals another. */
  @Override
  public int hashCode() {
    return key.hashCode();
  }

  /**
   * Returns whether it was revoked since its fetch began. Called by the thread that has entered, or
   * just left.
   */
  boolean isRevoked() {
    return revocations.get() != revocationsBefore;
  }

  /** Revokes the lease. A lease that is being fetched must not be used. */
  void revoke() {
    revocations.incrementAndGet();
  }

  /** Spends nothing more of what is available now. It counts as spent in the store. */
  void stopSpending() {
    available.cut(0);
  }
}
