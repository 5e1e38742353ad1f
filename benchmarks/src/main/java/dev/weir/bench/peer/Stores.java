package dev.weir.bench.peer;

import dev.weir.FailoverLimitStore;
import dev.weir.local.LocalLimitStore;
import dev.weir.local.LocalOptions;
import dev.weir.near.DenyCache;
import dev.weir.near.TokenLeaseStore;
import dev.weir.redis.RedisLimitStore;
import dev.weir.redis.RedisOptions;
import dev.weir.store.LimitStore;
import dev.weir.store.LimiterListener;
import java.time.Duration;
import java.util.function.UnaryOperator;

/** Weir's stores, wired as its configuration wires them. */
public final class Stores {

  private static final Duration DEADLINE = Duration.ofSeconds(1);
  private static final Duration HEAD_START = Duration.ofSeconds(10);

  private Stores() {}

  /** Returns a store that decides in Redis, in batches, and in process during an outage. */
  public static LimitStore exact(String application, String uri) {
    return near(application, uri, redis -> redis);
  }

  /** Returns the same, with denials remembered for so long. */
  public static LimitStore denying(String uri, Duration cap) {
    return near(Keys.APPLICATION, uri, redis -> DenyCache.of(redis, cap));
  }

  /** Returns the same, with leases of all that is hot, and no denial remembered. */
  public static LimitStore leasing(String uri) {
    return near(Keys.APPLICATION, uri, redis -> TokenLeaseStore.of(redis, counter -> true));
  }

  /** Returns the same, with this wrapper around Redis. */
  private static LimitStore near(String application, String uri, UnaryOperator<LimitStore> around) {
    RedisLimitStore redis = redis(application, uri);
    return FailoverLimitStore.of(around.apply(redis), fallback(redis));
  }

  /** Returns a store in process alone. */
  public static LimitStore local() {
    return LocalLimitStore.of();
  }

  private static RedisLimitStore redis(String application, String uri) {
    RedisOptions options = RedisOptions.of(uri, application).withDeadline(DEADLINE);
    RedisLimitStore redis = RedisLimitStore.connect(options, LimiterListener.NONE);
    if (!redis.awaitAnswer(HEAD_START)) {
      redis.close();
      throw new IllegalStateException(uri + " does not answer");
    }
    return redis;
  }

  private static LocalLimitStore fallback(RedisLimitStore redis) {
    return LocalLimitStore.of(LocalOptions.of().withNodes(redis.nodes(1)));
  }
}
