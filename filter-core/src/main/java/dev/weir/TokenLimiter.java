package dev.weir;

import dev.weir.internal.Expect;
import dev.weir.limit.Limit;
import dev.weir.limit.TokenBucket;
import dev.weir.store.Counter;
import dev.weir.store.LimitStore;
import dev.weir.store.Source;

/**
 * A limiter of each subject by a token bucket.
 *
 * <pre>{@code
 * TokenLimiter calls = TokenLimiter.of("calls", "20 per second, burst 40", store);
 * Decision decision = calls.tryAcquire(Subject.of("user", userId));
 * if (!decision.allowed()) {
 *   throw new TooManyCalls(decision.retryAfter());
 * }
 * }</pre>
 *
 * <p>Acquiring never waits for permits and never throws for an outage. When the store cannot decide
 * by the deadline, the outage policy does. By default, the store's fallback decides. A store
 * without a fallback denies, with source {@link Source#CLOSED}.
 *
 * <p>Limiters are immutable, thread-safe and cheap. A new limiter counts in the same place when its
 * name and store are the same. The owner of the store must close it.
 */
public final class TokenLimiter extends Limiter<TokenLimiter> {

  TokenLimiter(LimiterCore core) {
    super(core);
  }

  /**
   * Returns a limiter with a deadline of 100 ms that falls back to limiting in process.
   *
   * @param name names the limit: limiters of one name share their counters
   * @throws IllegalArgumentException when {@link Counter} does not accept the name
   */
  public static TokenLimiter of(String name, TokenBucket limit, LimitStore store) {
    return new TokenLimiter(LimiterCore.of(name, limit, store));
  }

  /**
   * Returns the same for a limit in its one-line form, as {@link Limit#parse} reads it: {@code 100
   * per second, burst 200}.
   *
   * @throws IllegalArgumentException also when the text is not a limit, or not a token bucket
   */
  public static TokenLimiter of(String name, String limit, LimitStore store) {
    if (Limit.parse(limit) instanceof TokenBucket parsed) {
      return of(name, parsed, store);
    }
    throw Expect.failure(
        "limit", "'" + limit + "'", "a token bucket such as '100 per second, burst 200'");
  }

  @Override
  TokenLimiter with(LimiterCore core) {
    return new TokenLimiter(core);
  }
}
