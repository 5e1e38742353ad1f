package dev.weir;

import dev.weir.internal.Expect;
import dev.weir.limit.LeakyBucket;
import dev.weir.limit.Limit;
import dev.weir.store.Counter;
import dev.weir.store.LimitStore;
import dev.weir.store.Subject;

/**
 * A limiter that passes each subject's requests through a leaky bucket: one after another, evenly.
 *
 * <pre>{@code
 * LeakyLimiter mails = LeakyLimiter.of("mails", "2 per second leaky, capacity 20", store);
 * if (mails.acquire(Subject.of("tenant", tenant), 1, Duration.ofSeconds(5)).allowed()) {
 *   send(mail);
 * }
 * }</pre>
 *
 * <p>{@link #tryAcquire(Subject)} is granted only while the bucket is empty. Everything else is as
 * for {@link TokenLimiter}: immutable, thread-safe and cheap, and no outage makes it throw.
 */
public final class LeakyLimiter extends Limiter<LeakyLimiter> {

  LeakyLimiter(LimiterCore core) {
    super(core);
  }

  /**
   * Returns a limiter with a deadline of 100 ms that falls back to limiting in process.
   *
   * @param name names the limit: limiters of one name share their counters
   * @throws IllegalArgumentException when {@link Counter} does not accept the name
   */
  public static LeakyLimiter of(String name, LeakyBucket limit, LimitStore store) {
    return new LeakyLimiter(LimiterCore.of(name, limit, store));
  }

  /**
   * Returns the same for a limit in its one-line form, as {@link Limit#parse} reads it.
   *
   * @throws IllegalArgumentException also when the text is not a limit, or not a leaky bucket
   */
  public static LeakyLimiter of(String name, String limit, LimitStore store) {
    if (Limit.parse(limit) instanceof LeakyBucket parsed) {
      return of(name, parsed, store);
    }
    throw Expect.failure(
        "limit", "'" + limit + "'", "a leaky bucket such as '2 per second leaky, capacity 20'");
  }

  @Override
  LeakyLimiter with(LimiterCore core) {
    return new LeakyLimiter(core);
  }
}
