package dev.weir;

import dev.weir.internal.Expect;
import dev.weir.limit.FixedWindow;
import dev.weir.limit.Limit;
import dev.weir.limit.SlidingWindow;
import dev.weir.local.LocalLimitStore;
import dev.weir.store.AcquireRequest.Mode;
import dev.weir.store.Counter;
import dev.weir.store.Decision;
import dev.weir.store.LimitStore;

/**
 * A limiter of each subject to a quota in each period of time. The period is that of a fixed
 * window, or any period of that length, wherever it begins. Immutable, thread-safe and cheap; there
 * is nothing to close but a store, by its owner.
 *
 * <pre>{@code
 * PeriodLimiter exports = PeriodLimiter.of("exports", "10 per day window Europe/Berlin");
 * switch (PeriodLimiter.QuotaStatus.of(exports.tryAcquire("user-42"))) {
 *   case ALLOWED -> System.out.println("exported");
 *   case HIT_QUOTA -> System.out.println("exported, and that was the last one today");
 *   case OVER_QUOTA -> System.out.println("no more today");
 * }
 * }</pre>
 *
 * <p>It takes no permits from token leases, so it is exact which permit is the last. Requests also
 * wait in an outage, for what the fallback counts. Everything else is as for {@link TokenLimiter}.
 */
public final class PeriodLimiter extends Limiter<PeriodLimiter> {

  PeriodLimiter(LimiterCore core) {
    super(core);
  }

  /** Returns a limiter of this process alone, as {@link #of(Limit)} does. */
  public static PeriodLimiter of(String limit) {
    return of(Limit.parse(limit));
  }

  /** Returns a limiter of this process alone, whose limit is named by the text that it prints. */
  public static PeriodLimiter of(Limit limit) {
    return of(limit.toString(), limit);
  }

  /** Returns a limiter of this process alone, as {@link #of(String, Limit, LimitStore)} does. */
  public static PeriodLimiter of(String name, String limit) {
    return of(name, limit, LocalLimitStore.of());
  }

  /** Returns a limiter of this process alone, as {@link #of(String, Limit, LimitStore)} does. */
  public static PeriodLimiter of(String name, Limit limit) {
    return of(name, limit, LocalLimitStore.of());
  }

  /** Returns a limiter for a limit in its one-line form, as {@link Limit#parse} reads it. */
  public static PeriodLimiter of(String name, String limit, LimitStore store) {
    return of(name, Limit.parse(limit), store);
  }

  /**
   * Returns a limiter with a deadline of 100 ms.
   *
   * @param name names the limit: limiters of one name and store share their counters
   * @param limit a {@link FixedWindow} or a {@link SlidingWindow}
   * @throws IllegalArgumentException when {@link Counter} does not accept the name, or the limit is
   *     not a window
   */
  public static PeriodLimiter of(String name, Limit limit, LimitStore store) {
    if (!(limit instanceof FixedWindow || limit instanceof SlidingWindow)) {
      throw Expect.failure(
          "limit",
          "'" + limit + "'",
          "a window such as '1000 per day window' or '30 per 10s sliding'");
    }
    return new PeriodLimiter(LimiterCore.of(name, limit, store));
  }

  /** Bypasses leases: only an exact count shows whether a request hit the quota exactly. */
  @Override
  Mode atOnce() {
    return Mode.BYPASS_LEASES;
  }

  @Override
  PeriodLimiter with(LimiterCore newCore) {
    return new PeriodLimiter(newCore);
  }

  /** How much of its period's quota a request has left. */
  public enum QuotaStatus {
    /** Allowed, and more would fit. */
    ALLOWED,
    /** Allowed, and the last that fits: nothing of the quota is left. */
    HIT_QUOTA,
    /**
     * Denied: the request does not fit what is left, or the store is gone and the policy denies.
     */
    OVER_QUOTA;

    /** Returns the status of the quota that binds a decision. */
    public static QuotaStatus of(Decision decision) {
      if (!decision.allowed()) {
        return OVER_QUOTA;
      }
      return decision.remaining().orElse(Long.MAX_VALUE) == 0 ? HIT_QUOTA : ALLOWED;
    }
  }
}
