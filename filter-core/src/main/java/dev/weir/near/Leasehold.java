package dev.weir.near;

import dev.weir.Amendment;
import dev.weir.Charge;
import dev.weir.Decision;
import dev.weir.FixedWindow;
import dev.weir.LeaseSettlement;
import dev.weir.Limit;
import dev.weir.internal.CounterKey;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * One counter that this node may hold permits of. Any thread spends them; to change the lease, a
 * thread {@link #enter enters} first, and only one at a time gets in. The others wait for nobody:
 * they go on spending, and ask the store where there is nothing to spend.
 *
 * <p>The counter itself is held by the {@link Possession} alone, while there is one: a client may
 * choose a subject of any length, and asks once for most.
 *
 * <p>Times are readings of one ticker. A lease ends here no later than in the store: its length is
 * reckoned from before the store was asked, and made a thousandth shorter, for no two clocks run at
 * the same speed.
 */
final class Leasehold {

  /** For so long a lease is to last. The store lets it live for 10 to 20 ms. */
  static final long HORIZON_NANOS = 15_000_000;

  /** So long before its end the next one is fetched. */
  private static final long LEAD_NANOS = 5_000_000;

  /** Where nobody fetches the next one, it is ended so long before its end. */
  private static final long ENDING_NANOS = 3_000_000;

  /** Who is lent nothing, or too late, stays away, each time for twice as long. */
  private static final long SHORTEST_REST_NANOS = 5_000_000;

  private static final long LONGEST_REST_NANOS = 160_000_000;

  /**
   * A lease that is over when it comes was paid for by nobody's request: it is hardly tried again.
   */
  private static final long LONGEST_REST_AFTER_LATE_NANOS = 64 * LONGEST_REST_NANOS;

  /** Fewer requests than that within the horizon are not worth a lease. */
  private static final long FEWEST_REQUESTS = 8;

  private static final long DRIFT = 1_000;

  private final CounterKey key;
  private final Limit limit;
  private final Pace pace;
  private final Stock stock = new Stock();
  private final AtomicBoolean entered = new AtomicBoolean();
  private final AtomicInteger revocations = new AtomicInteger();
  private volatile @Nullable Possession possession;
  private volatile long restUntilNanos;

  // What follows belongs to whoever has entered.

  private LeaseSettlement settled = LeaseSettlement.NONE;
  private long name;
  private long lentNanos;
  private long out;
  private long level;
  private int revocationsBefore;
  private long restNanos = SHORTEST_REST_NANOS;

  Leasehold(CounterKey key, Limit limit, long nowNanos) {
    this.key = key;
    this.limit = limit;
    this.pace = new Pace(nowNanos);
    this.restUntilNanos = nowNanos;
  }

  Limit limit() {
    return limit;
  }

  boolean isOf(Limit other) {
    return limit == other || limit.equals(other);
  }

  /** The permits at hand; to be taken only by whoever has seen a {@link #possession} before. */
  Stock stock() {
    return stock;
  }

  /** What may be spent now; null when nothing may. */
  @Nullable Possession possession(long nowNanos) {
    @Nullable Possession held = possession;
    return held == null || held.isEnding(nowNanos, 0) ? null : held;
  }

  /** Spends a charge; null when there is not enough to spend. */
  Decision.@Nullable Counted spend(Charge charge, long nowNanos) {
    @Nullable Possession held = possession(nowNanos);
    if (held == null || stock.take(charge.permits()) == Stock.NONE) {
      return null;
    }
    return held.granted(charge);
  }

  /** The store is asked for so many instead. */
  void missed(long permits, long nowNanos) {
    pace.count(permits, nowNanos);
  }

  /** Whether a lease should be fetched before a request for so many permits is decided. */
  boolean isDue(long permits, long nowNanos) {
    @Nullable Possession held = possession;
    if (nowNanos - restUntilNanos < 0) {
      return false;
    }
    if (held == null || held.isEnding(nowNanos, 0)) {
      return isWorthIt(permits, nowNanos);
    }
    return held.isEnding(nowNanos, LEAD_NANOS) || stock.permits() < held.low();
  }

  private boolean isWorthIt(long permits, long nowNanos) {
    return pace.in(HORIZON_NANOS, nowNanos) / FEWEST_REQUESTS >= permits;
  }

  /** Whether it holds what nobody fetches more for, and which will soon be lost. */
  boolean isEnding(long nowNanos) {
    @Nullable Possession held = possession;
    return held != null && held.isEnding(nowNanos, ENDING_NANOS);
  }

  /** Whether there is a lease, be it one that has ended. */
  boolean isHeld() {
    return possession != null;
  }

  /** Whether nobody else is in; if so, {@link #leave} is to follow. */
  boolean enter() {
    return !entered.get() && entered.compareAndSet(false, true);
  }

  void leave() {
    entered.set(false);
  }

  /**
   * Begins to fetch a lease: for who has entered.
   *
   * @return how many permits are wanted; 0 when it is not worth it, and nothing has begun
   */
  long begin(long permits, long nowNanos) {
    int revocationsNow = revocations.get(); // once: one that comes now is for what is fetched
    @Nullable Possession held = revocationsNow == revocationsBefore ? possession(nowNanos) : null;
    pace.count(Math.max(0, level - stock.permits()), nowNanos);
    level = stock.permits();
    if (!isWorthIt(permits, nowNanos)) {
      restUntilNanos = nowNanos + LEAD_NANOS;
      return 0;
    }
    if (revocationsNow != revocationsBefore && limit instanceof FixedWindow) {
      name = 0; // it may have been a reset: nothing is given back to the window that follows
    }
    long needed = Math.min(Stock.MOST / 4, pace.in(HORIZON_NANOS, nowNanos));
    settle(held == null ? 0 : 2 * needed, nowNanos);
    revocationsBefore = revocationsNow;
    return Math.max(1, needed - settled.kept());
  }

  /** To be told to the store together with what {@link #begin} wants. */
  LeaseSettlement settled() {
    return settled;
  }

  private void settle(long most, long nowNanos) {
    long left = stock.cut(most);
    long kept = Math.min(left, most);
    settled =
        name == 0 || isLost(nowNanos)
            ? LeaseSettlement.NONE
            : new LeaseSettlement(name, out, kept, left - kept);
    level = kept;
  }

  /**
   * Whether nothing can be settled any more: where the store's clock has moved back, others may
   * have a lease with the same name by then. Only a window takes back after a lease has ended. That
   * comes again too, but not within a window; and half of one is left to what is on its way.
   */
  private boolean isLost(long nowNanos) {
    if (possession(nowNanos) != null) {
      return false;
    }
    return !(limit instanceof FixedWindow window)
        || nowNanos - lentNanos >= window.timeToFull().toNanos() / 2;
  }

  /**
   * The store has lent: for who has entered.
   *
   * @param wanted more than that is nothing that the store lends
   * @param askedNanos before it was asked
   * @param nowNanos as it has answered
   */
  void finish(Decision.Lent lent, long wanted, long askedNanos, long nowNanos) {
    if (isRevoked() || lent.permits() > wanted) {
      lose(askedNanos);
      return;
    }
    if (!lent.carried()) {
      stock.cut(0);
      level = 0;
    }
    out = lent.permits() + (lent.carried() ? settled.kept() : 0);
    name = lent.name();
    lentNanos = askedNanos;
    long nanos = TimeUnit.NANOSECONDS.convert(lent.length());
    long endNanos = askedNanos + nanos - nanos / DRIFT;
    // before what is lent can be taken: who has seen the lease before would be told of it
    possession = out == 0 ? null : new Possession(lent, endNanos, out / 4);
    stock.add(lent.permits());
    level += lent.permits();
    if (endNanos - nowNanos <= 0) {
      restUntilNanos = nowNanos + longerRest(LONGEST_REST_AFTER_LATE_NANOS);
    } else {
      restUntilNanos = askedNanos + rest(lent.permits(), wanted);
    }
  }

  /** Who is lent much less than he wants finds no more when he asks at once. */
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

  /** Nobody knows what the store has done: nothing more is spent. For who has entered. */
  void lose(long nowNanos) {
    end(nowNanos);
    restUntilNanos = nowNanos + HORIZON_NANOS;
  }

  /**
   * Spends nothing more: for who has entered.
   *
   * @return what is to be told to the store; null when nothing is left
   */
  Amendment.@Nullable EndLease end(long nowNanos) {
    @Nullable Possession held = possession;
    settle(0, nowNanos);
    possession = null;
    name = 0;
    out = 0;
    return held == null || settled.back() == 0
        ? null
        : new Amendment.EndLease(held.counter(), settled);
  }

  /** By its counter, and equal to no other: so a simulation finds them in one order each time. */
  @Override
  public int hashCode() {
    return key.hashCode();
  }

  /** Whether it was revoked since it began to be fetched: for who has entered, or just left. */
  boolean isRevoked() {
    return revocations.get() != revocationsBefore;
  }

  /** A lease that is being fetched is not to be used. */
  void revoke() {
    revocations.incrementAndGet();
  }
}
