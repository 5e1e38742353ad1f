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
record Stores(LimitStore deciding, Optional<RedisLimitStore> redis, int configuredNodes)
    implements AutoCloseable {

  /** A Redis that is up has answered by then, and the first requests are decided there. */
  private static final Duration HEAD_START = Duration.ofMillis(300);

  /** Returns soon, whether Redis is up or down. */
  static Stores open(Settings settings, DearestCosts costs, LimiterListener listener) {
    int nodes = settings.nodes();
    return settings
        .redis()
        .map(options -> shared(options, nodes, costs, listener))
        .orElseGet(() -> local(nodes, costs, listener));
  }

  private static Stores shared(
      RedisOptions options, int nodes, DearestCosts costs, LimiterListener listener) {
    RedisLimitStore redis = RedisLimitStore.connect(options, listener);
    try {
      LocalLimitStore fallback = fallback(redis.share(nodes), costs);
      LimitStore failover = new FailoverLimitStore(redis, fallback);
      redis.awaitAnswer(HEAD_START);
      return new Stores(new ObservedLimitStore(failover, listener), Optional.of(redis), nodes);
    } catch (RuntimeException failed) {
      redis.close();
      throw failed;
    }
  }

  private static Stores local(int nodes, DearestCosts costs, LimiterListener listener) {
    LocalLimitStore local = fallback(NodeShare.of(nodes), costs);
    return new Stores(new ObservedLimitStore(local, listener), Optional.empty(), nodes);
  }

  private static LocalLimitStore fallback(NodeShare share, DearestCosts costs) {
    return new LocalLimitStore(LocalOptions.sharedBy(share).withDearestCost(costs));
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
