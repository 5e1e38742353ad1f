package dev.weir.bench.cost;

import dev.weir.bench.peer.Keys;
import dev.weir.limit.Limit;
import dev.weir.redis.RedisLimitStore;
import dev.weir.redis.RedisOptions;
import dev.weir.store.AcquireRequest;
import dev.weir.store.AcquireRequest.Charge;
import dev.weir.store.Adjustment;
import dev.weir.store.Counter;
import dev.weir.store.Deadline;
import dev.weir.store.Decision;
import dev.weir.store.Decision.Receipt;
import dev.weir.store.LimiterListener;
import dev.weir.store.OnOutage;
import dev.weir.store.StoreUnavailableException;
import dev.weir.store.Subject;
import java.time.Duration;
import java.util.List;

/** Weir's store in Redis, with nothing in front of it. Thread-safe. */
final class Store implements AutoCloseable {

  /** Allows for a batch that takes Redis half a second, which is measured too. */
  private static final Duration PATIENCE = Duration.ofSeconds(60);

  private final RedisLimitStore redis;

  Store(String uri) {
    RedisOptions options =
        RedisOptions.of(uri, Keys.APPLICATION).withDeadline(PATIENCE).asObserver();
    redis = RedisLimitStore.connect(options, LimiterListener.NONE);
    if (!redis.awaitAnswer(PATIENCE)) {
      redis.close();
      throw new IllegalStateException(uri + " does not answer");
    }
  }

  /** Requests one permit for this subject. */
  Decision decide(Limit limit, String subject) throws StoreUnavailableException {
    Counter counter = new Counter(Keys.LIMIT, limit, Subject.of("user", subject));
    return redis.decide(
        new AcquireRequest(
            List.of(new Charge(counter, 1)), OnOutage.DENY, Deadline.after(PATIENCE)));
  }

  /**
   * @throws IllegalStateException when it is denied
   */
  Receipt grant(Limit limit, String subject) throws StoreUnavailableException {
    if (decide(limit, subject) instanceof Decision.Counted counted && counted.allowed()) {
      return counted.receipt();
    }
    throw new IllegalStateException(limit + ": denied (expected: granted)");
  }

  void release(Receipt held) throws StoreUnavailableException {
    redis.adjust(new Adjustment.Refund(held), Deadline.after(PATIENCE));
  }

  /**
   * @throws IllegalStateException when the permit has expired
   */
  void renew(Receipt held) throws StoreUnavailableException {
    if (!redis.adjust(new Adjustment.Renew(held), Deadline.after(PATIENCE)).isEmpty()) {
      throw new IllegalStateException("not renewed: its time to live is over (expected: renewed)");
    }
  }

  @Override
  public void close() {
    redis.close();
  }
}
