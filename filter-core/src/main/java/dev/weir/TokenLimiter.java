package dev.weir;

import dev.weir.internal.Expect;
import dev.weir.limit.Limit;
import dev.weir.limit.TokenBucket;
import dev.weir.local.LocalLimitStore;
import dev.weir.store.Counter;
import dev.weir.store.LimitStore;
import dev.weir.store.Source;

/**
 * A limiter of each subject by a token bucket. Immutable, thread-safe and cheap; there is nothing
 * to close but a store, by its owner.
 *
 * <pre>{@code
 * TokenLimiter calls = TokenLimiter.of("calls", "20 per second, burst 40");
 * Decision decision = calls.tryAcquire("user-42");
 * if (!decision.allowed()) {
 *   System.out.println("again in " + decision.retryAfter().orElse(Duration.ZERO));
 * }
 * }</pre>
 *
 * <p>This bucket grants 40 requests at once, and up to 60 in the first second: its burst, and what
 * refills meanwhile. For no more than a quota in any second or in each day, use a {@link
 * PeriodLimiter}.
 *
 * <p>Acquiring never throws for an outage. When the store cannot decide by the deadline, the outage
 * policy does. By default, the store's fallback decides. A store without a fallback denies, with
 * source {@link Source#FAIL_CLOSED}, and so does a closed store. In an outage, no request waits for
 * a bucket: {@link #tryAcquire(dev.weir.store.Subject, long, java.time.Duration)} denies at once
 * what the fallback does not grant.
 *
 * <p>A new limiter counts in the same place when its name and store are the same. A limiter without
 * a store counts in this process, and shares its counters with no other limiter.
 */
public final class TokenLimiter extends Limiter<TokenLimiter> {

  TokenLimiter(LimiterCore core) {
    super(core);
  }

  /** Returns a limiter of this process alone, as {@link #of(Limit)} does. */
  public static TokenLimiter of(String limit) {
    return of(Limit.parse(limit));
  }

  /** Returns a limiter of this process alone, whose limit is named by the text that it prints. */
  public static TokenLimiter of(Limit limit) {
    return of(limit.toString(), limit);
  }

  /**
   * Returns a limiter of this process alone, as {@link #of(String, Limit, LimitStore)} does. The
   * first text is a name, and the second a limit.
   */
  public static TokenLimiter of(String name, String limit) {
    return of(name, limit, LocalLimitStore.of());
  }

  /** Returns a limiter of this process alone, as {@link #of(String, Limit, LimitStore)} does. */
  public static TokenLimiter of(String name, Limit limit) {
    return of(name, limit, LocalLimitStore.of());
  }

  /** Returns a limiter for a limit in its one-line form, as {@link Limit#parse} reads it. */
  public static TokenLimiter of(String name, String limit, LimitStore store) {
    return of(name, Limit.parse(limit), store);
  }

  /**
   * Returns a limiter with a deadline of 100 ms.
   *
   * @param name names the limit: limiters of one name and store share their counters
   * @param limit a {@link TokenBucket}
   * @throws IllegalArgumentException when {@link Counter} does not accept the name, or the limit is
   *     not a token bucket
   */
  public static TokenLimiter of(String name, Limit limit, LimitStore store) {
    if (!(limit instanceof TokenBucket)) {
      throw Expect.failure(
          "limit", "'" + limit + "'", "a token bucket such as '100 per second, burst 200'");
    }
    return new TokenLimiter(LimiterCore.of(name, limit, store));
  }

  @Override
  TokenLimiter with(LimiterCore newCore) {
    return new TokenLimiter(newCore);
  }
}
