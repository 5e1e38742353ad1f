package dev.weir.config;

import dev.weir.FailoverLimitStore;
import dev.weir.LimitStore;
import dev.weir.LimiterListener;
import dev.weir.NodeShare;
import dev.weir.ObservedLimitStore;
import dev.weir.Source;
import dev.weir.local.LocalLimitStore;
import dev.weir.local.LocalOptions;
import dev.weir.redis.RedisLimitStore;
import dev.weir.redis.RedisOptions;
import dev.weir.redis.RedisStatus;
import java.time.Duration;
import java.util.Optional;

/**
 * The stores of one engine, wired: Redis before the process itself, or that alone.
 *
 * @param deciding asked for decisions; closing it closes all
 * @param redis the shared one, for its status
 */
record Stores(LimitStore deciding, Optional<RedisLimitStore> redis) implements AutoCloseable {

  /** A Redis that is up has answered by then, and the first requests are decided there. */
  private static final Duration HEAD_START = Duration.ofMillis(300);

  /** Returns at once, whether Redis is up or down. */
  static Stores open(String node, Settings settings, Demand demand, LimiterListener listener) {
    return settings
        .redis()
        .map(options -> shared(options.withNode(node), settings, demand, listener))
        .orElseGet(() -> local(settings, demand, listener));
  }

  private static Stores shared(
      RedisOptions options, Settings settings, Demand demand, LimiterListener listener) {
    RedisLimitStore redis = RedisLimitStore.connect(options, listener);
    try {
      LocalLimitStore fallback = fallback(redis.share(settings.nodes()), settings, demand);
      LimitStore failover = new FailoverLimitStore(redis, fallback);
      return new Stores(new ObservedLimitStore(failover, listener), Optional.of(redis));
    } catch (RuntimeException failed) {
      redis.close();
      throw failed;
    }
  }

  private static Stores local(Settings settings, Demand demand, LimiterListener listener) {
    LocalLimitStore local = fallback(NodeShare.of(settings.nodes()), settings, demand);
    return new Stores(new ObservedLimitStore(local, listener), Optional.empty());
  }

  private static LocalLimitStore fallback(NodeShare share, Settings settings, Demand demand) {
    return new LocalLimitStore(
        LocalOptions.sharedBy(share)
            .withDearestCost(demand::dearestCost)
            .withMaxCounters(settings.maxCounters())
            .withLimits(demand::limits));
  }

  /** Waits until Redis has answered or is known to be out, for the head start at most. */
  void awaitRedis() {
    redis.ifPresent(store -> store.awaitAnswer(HEAD_START));
  }

  Source inUse() {
    return redis.map(RedisLimitStore::status).filter(Stores::anyDecides).isPresent()
        ? Source.REDIS
        : Source.LOCAL;
  }

  Optional<RedisStatus> redisStatus() {
    return redis.map(RedisLimitStore::status);
  }

  private static boolean anyDecides(RedisStatus status) {
    return status.primaries().stream()
        .anyMatch(primary -> primary.breaker() == RedisStatus.Breaker.CLOSED);
  }

  @Override
  public void close() {
    deciding.close();
  }
}
