package dev.weir;

import dev.weir.internal.Expect;
import dev.weir.internal.store.ObservedLimitStore;
import dev.weir.local.LocalLimitStore;
import dev.weir.local.LocalOptions;
import dev.weir.near.DenyCache;
import dev.weir.near.TokenLeaseStore;
import dev.weir.redis.RedisLimitStore;
import dev.weir.redis.RedisOptions;
import dev.weir.store.LimitStore;
import dev.weir.store.LimiterListener;
import java.time.Duration;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;

/**
 * Opens stores. A Redis store comes with what belongs around it: a deny cache, and this process in
 * an outage, with full limits at first. What is opened is one store, which is thread-safe, and is
 * closed as one.
 *
 * <pre>{@code
 * try (LimitStore store = Stores.redis("redis://localhost", "shop").open()) {
 *   TokenLimiter calls = TokenLimiter.of("calls", "20 per second, burst 40", store);
 *   System.out.println(calls.tryAcquire("user-42").allowed());
 * }
 * }</pre>
 *
 * <p>Jedis, Caffeine and Bucket4j must be on the class path, in the versions of Weir's POM. A
 * program with rules for HTTP requests has such a store already: {@code weir.store()}.
 */
public final class Stores {

  private Stores() {}

  /** Opens a store of this process alone, which limiters may share. */
  public static LocalLimitStore local() {
    return LocalLimitStore.of();
  }

  /**
   * Returns a builder for this Redis.
   *
   * @param application the prefix of the keys, as for {@link RedisOptions#of}
   * @throws IllegalArgumentException when the URI or the application is invalid
   */
  public static Builder redis(String uri, String application) {
    return redis(RedisOptions.of(uri, application));
  }

  /** Returns a builder for the Redis of these options. */
  public static Builder redis(RedisOptions options) {
    return new Builder(options);
  }

  /** A builder of a Redis store and what is around it. Not thread-safe. */
  public static final class Builder {

    private RedisOptions options;
    private LimiterListener listener = LimiterListener.NONE;
    private int nodes = 1;
    private int maxCounters = LocalOptions.DEFAULT_MAX_COUNTERS;
    private boolean fallsBack = true;
    private Optional<Duration> denyCache = Optional.of(Duration.ofSeconds(1));
    private Set<String> leased = Set.of();

    private Builder(RedisOptions options) {
      this.options = Objects.requireNonNull(options, "options");
    }

    /**
     * Notifies this listener of outages and errors, and of the decisions of the store and its
     * fallback. What a limiter loses, and its denials without a count, go to the limiter's own
     * listener. By default, none is notified.
     */
    public Builder listener(LimiterListener newListener) {
      listener = Objects.requireNonNull(newListener, "listener");
      return this;
    }

    /** Gives Redis this long for a reply, as {@link RedisOptions#withDeadline} does: 100 ms. */
    public Builder deadline(Duration deadline) {
      options = options.withDeadline(deadline);
      return this;
    }

    /**
     * Divides each limit by at least so many nodes in an outage, as {@link LocalLimitStore} says.
     * Five concurrent permits are two for each of two nodes. By default, only the nodes count that
     * Redis has lately known.
     *
     * @throws IllegalArgumentException when nodes is not positive
     */
    public Builder nodes(int newNodes) {
      Expect.positive("nodes", newNodes);
      nodes = newNodes;
      return this;
    }

    /** Counts at most so many subjects apart in an outage, over all limits: 100,000. */
    public Builder maxCounters(int newMaxCounters) {
      maxCounters = newMaxCounters;
      return this;
    }

    /** Leaves decisions in an outage to {@link dev.weir.store.OnOutage} alone, without counting. */
    public Builder withoutFallback() {
      fallsBack = false;
      return this;
    }

    /**
     * Remembers a denial for at most this long, so that a denied client asks Redis seldom: 1
     * second.
     *
     * @throws IllegalArgumentException when the time is not positive, or longer than a minute
     */
    public Builder denyCache(Duration cap) {
      denyCache = Optional.of(DenyCache.checked(cap));
      return this;
    }

    /** Sends every request to Redis, also of a client that was just denied. */
    public Builder withoutDenyCache() {
      denyCache = Optional.empty();
      return this;
    }

    /**
     * Leases permits of the limits with these names, where the algorithm allows it. By default,
     * none are leased.
     */
    public Builder leases(String... limits) {
      leased = Set.of(limits);
      return this;
    }

    /**
     * Opens the store, and waits for the first reply of Redis, but no longer than its connections
     * may take: 1 s, 3 s over TLS, and twice that in a cluster or behind Sentinel.
     *
     * @throws IllegalArgumentException when the number of counters is out of its range, or permits
     *     are leased where nodes decide by their own clocks
     * @throws IllegalStateException when a library is missing, or has another version
     */
    public LimitStore open() {
      if (!leased.isEmpty() && options.clock() == RedisOptions.Clock.NODE) {
        throw Expect.failure("leases", leased, "none, where nodes decide by their own clocks");
      }
      RedisLimitStore redis = RedisLimitStore.connect(options, listener);
      try {
        LimitStore store = around(redis);
        redis.awaitAnswer();
        return listener == LimiterListener.NONE ? store : new ObservedLimitStore(store, listener);
      } catch (RuntimeException | Error failed) {
        redis.close();
        throw failed;
      }
    }

    private LimitStore around(RedisLimitStore redis) {
      LimitStore store = redis;
      if (denyCache.isPresent()) {
        store = DenyCache.of(store, denyCache.get());
      }
      if (!leased.isEmpty()) {
        Set<String> names = leased;
        store = TokenLeaseStore.of(store, counter -> names.contains(counter.name()));
      }
      if (fallsBack) {
        LocalOptions local =
            LocalOptions.of().withNodes(redis.nodes(nodes)).withMaxCounters(maxCounters);
        store = FailoverLimitStore.of(store, LocalLimitStore.of(local));
      }
      return store;
    }
  }
}
