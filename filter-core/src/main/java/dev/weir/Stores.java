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
 * Opens stores. A Redis store comes with what belongs around it: a deny cache, and this process as
 * the fallback in an outage, with full limits at first. What is opened is one store, which is
 * thread-safe, and is closed as one, after everything that uses it.
 *
 * <pre>{@code
 * try (LimitStore store = Stores.redis("redis://localhost", "shop").open()) {
 *   TokenLimiter calls = TokenLimiter.of("calls", "20 per second, burst 40", store);
 *   System.out.println(calls.tryAcquire("user-42").allowed());
 * }
 * }</pre>
 *
 * <p>This limit is a token bucket: it grants 40 requests at once, and up to 60 in the first second.
 * {@link dev.weir.limit.Limit#parse} has the limits that grant no more than their number in any
 * second.
 *
 * <p><b>In an outage</b> this process decides by its share of each limit. Redis decides again as
 * soon as it can. {@link dev.weir.store.Decision#source} returns which of them has made a decision.
 * {@link LimiterListener#onStoreSwitched} reports it for each Redis primary. {@link
 * FailoverLimitStore} has the details.
 *
 * <p><b>Closing.</b> Before the store, cancel waiting requests, end reservations, stop each {@link
 * TaskShaper}, and close held permits and each {@link ConcurrencyLimiter}. A reservation that ends
 * later counts as spent. So does one whose commit still waits in the background, see {@link
 * RedisLimitStore#close}. Limiters of a closed store do not throw when they acquire: the outage
 * policy decides, see {@link LimitStore#close}.
 *
 * <p><b>Libraries.</b> These must be on the class path: {@code redis.clients:jedis}, {@code
 * org.slf4j:slf4j-api}, {@code com.github.ben-manes.caffeine:caffeine} and {@code
 * com.bucket4j:bucket4j_jdk17-core}. A build with a dependency on {@code dev.weir:weir-filter-core}
 * adds them, in the versions of its POM. If one is missing or does not fit, {@link Builder#open}
 * throws, and the message has the expected versions. The jar of Weir whose name ends with {@code
 * -all} contains them.
 *
 * <p>A program with rules for HTTP requests has such a store already. In the module {@code
 * weir-filter-rules}, the method {@code store()} of {@code dev.weir.config.Weir} returns it. Close
 * that {@code Weir}, not its store.
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

  /**
   * A builder of a Redis store and what is around it. Not thread-safe. What is not set is as
   * follows:
   *
   * <ul>
   *   <li>There is a fallback: a {@link FailoverLimitStore} lets this process decide in an outage.
   *   <li>There is a {@link DenyCache} of 1 second.
   *   <li>The deadline for a reply of Redis is that of the {@link RedisOptions}, or 100 ms.
   *   <li>No permits are leased, and no listener is notified.
   * </ul>
   */
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
     * Notifies this listener of outages and errors, and of every decision that the store returns.
     * Those of its fallback are among them. By default, none is notified.
     *
     * <p>The store may make no decision, because it has no fallback or is closed. The outage policy
     * of the request then decides. Only the listener of the limiter is notified of that, and of
     * what the limiter loses. Its {@code withListener} sets that one. {@link LimiterListener}
     * compares the two. {@link LimiterListener#onStoreSwitched} reports that decisions move to this
     * process, and back.
     */
    public Builder listener(LimiterListener newListener) {
      listener = Objects.requireNonNull(newListener, "listener");
      return this;
    }

    /**
     * Gives Redis this long for a reply, as {@link RedisOptions#withDeadline} does. The default is
     * the deadline of the options, or 100 ms.
     *
     * <p>A limiter has a deadline for each decision as well, also of 100 ms by default. Its {@code
     * withDeadline} changes it. To let Redis take longer, change both. If the limiter's deadline is
     * less than half of this one, its time-outs do not count as an outage.
     *
     * @throws IllegalArgumentException when it is not positive, or longer than a minute
     */
    public Builder deadline(Duration deadline) {
      options = options.withDeadline(deadline);
      return this;
    }

    /**
     * Divides each limit by at least so many nodes in an outage, as {@link LocalLimitStore} says.
     * Five concurrent permits are two for each of two nodes. The default is 1. If Redis has lately
     * known more nodes, their number counts, see {@link RedisLimitStore#nodes}.
     *
     * <p>Before the first reply of Redis, no other nodes are known. With the default, each node
     * then grants the whole limit.
     *
     * @throws IllegalArgumentException when nodes is not positive
     */
    public Builder nodes(int newNodes) {
      Expect.positive("nodes", newNodes);
      nodes = newNodes;
      return this;
    }

    /**
     * Counts at most so many subjects apart in an outage, over all limits. The default is 100,000.
     * The number is checked by {@link #open}.
     */
    public Builder maxCounters(int newMaxCounters) {
      maxCounters = newMaxCounters;
      return this;
    }

    /**
     * Removes the fallback, which is there by default. Decisions in an outage are left to {@link
     * dev.weir.store.OnOutage} alone, without counting. Its default denies then.
     */
    public Builder withoutFallback() {
      fallsBack = false;
      return this;
    }

    /**
     * Remembers a denial for at most this long, so that a denied client asks Redis seldom. The
     * default is 1 second: the deny cache is on, unless {@link #withoutDenyCache} is called.
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
     * <p>It returns a store even if Redis has not replied. The store connects in the background,
     * and keeps trying. Until then, decisions are made as in an outage. {@link #nodes} explains
     * their share. This method returns earlier if Redis is known to be out, or if the thread is
     * interrupted. The thread then stays interrupted.
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
