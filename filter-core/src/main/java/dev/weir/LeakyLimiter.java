package dev.weir;

import dev.weir.internal.Expect;
import dev.weir.limit.LeakyBucket;
import dev.weir.limit.Limit;
import dev.weir.local.LocalLimitStore;
import dev.weir.store.Counter;
import dev.weir.store.LimitStore;
import dev.weir.store.Subject;

/**
 * A limiter that passes each subject's requests through a leaky bucket: one after another, evenly.
 * Immutable, thread-safe and cheap; there is nothing to close but a store, by its owner.
 *
 * <pre>{@code
 * LeakyLimiter mails = LeakyLimiter.of("mails", "2 per second leaky, capacity 20");
 * if (mails.tryAcquire("tenant-7", Duration.ofSeconds(5)).allowed()) {
 *   System.out.println("sent");
 * }
 * }</pre>
 *
 * <p>{@link #tryAcquire(Subject)} is granted only while the bucket is empty. Everything else is as
 * for {@link TokenLimiter}.
 */
public final class LeakyLimiter extends Limiter<LeakyLimiter> {

  LeakyLimiter(LimiterCore core) {
    super(core);
  }

  /** Returns a limiter of this process alone, as {@link #of(Limit)} does. */
  public static LeakyLimiter of(String limit) {
    return of(Limit.parse(limit));
  }

  /** Returns a limiter of this process alone, whose limit is named by the text that it prints. */
  public static LeakyLimiter of(Limit limit) {
    return of(limit.toString(), limit);
  }

  /** Returns a limiter of this process alone, as {@link #of(String, Limit, LimitStore)} does. */
  public static LeakyLimiter of(String name, String limit) {
    return of(name, limit, LocalLimitStore.of());
  }

  /** Returns a limiter of this process alone, as {@link #of(String, Limit, LimitStore)} does. */
  public static LeakyLimiter of(String name, Limit limit) {
    return of(name, limit, LocalLimitStore.of());
  }

  /** Returns a limiter for a limit in its one-line form, as {@link Limit#parse} reads it. */
  public static LeakyLimiter of(String name, String limit, LimitStore store) {
    return of(name, Limit.parse(limit), store);
  }

  /**
   * Returns a limiter with a deadline of 100 ms.
   *
   * @param name names the limit: limiters of one name and store share their counters
   * @param limit a {@link LeakyBucket}
   * @throws IllegalArgumentException when {@link Counter} does not accept the name, or the limit is
   *     not a leaky bucket
   */
  public static LeakyLimiter of(String name, Limit limit, LimitStore store) {
    if (!(limit instanceof LeakyBucket)) {
      throw Expect.failure(
          "limit", "'" + limit + "'", "a leaky bucket such as '2 per second leaky, capacity 20'");
    }
    return new LeakyLimiter(LimiterCore.of(name, limit, store));
  }

  @Override
  LeakyLimiter with(LimiterCore newCore) {
    return new LeakyLimiter(newCore);
  }
}
