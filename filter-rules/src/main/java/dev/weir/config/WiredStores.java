package dev.weir.config;

import dev.weir.FailoverLimitStore;
import dev.weir.config.internal.read.Settings;
import dev.weir.http.OnDenial.Ban;
import dev.weir.http.Rule;
import dev.weir.internal.store.ObservedLimitStore;
import dev.weir.local.LocalLimitStore;
import dev.weir.local.LocalOptions;
import dev.weir.near.DenyCache;
import dev.weir.near.TokenLeaseStore;
import dev.weir.redis.RedisLimitStore;
import dev.weir.store.AcquireRequest;
import dev.weir.store.Adjustment;
import dev.weir.store.Deadline;
import dev.weir.store.Decision;
import dev.weir.store.LimitStore;
import dev.weir.store.LimiterListener;
import dev.weir.store.StoreUnavailableException;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.IntSupplier;
import java.util.function.Supplier;

/**
 * The stores of one configuration, wired as {@link dev.weir.Stores} does for limiters without
 * rules: Redis with a fallback in process, or the process alone.
 *
 * @param deciding makes the decisions; closing it closes all
 * @param local the one in process, for its status
 * @param leases leases permits of the shared one; for its status
 * @param redis the shared one, for its status
 */
record WiredStores(
    LimitStore deciding,
    LocalLimitStore local,
    Optional<TokenLeaseStore> leases,
    Optional<RedisLimitStore> redis)
    implements AutoCloseable {

  /**
   * Opens the stores at once, whether Redis is up or down. A reload may change the settings. With
   * Redis, a decision passes observer, failover, token leases, deny cache and Redis, in this order.
   * In an outage it passes observer, failover and the local store.
   */
  static WiredStores open(
      String node,
      Settings settings,
      Supplier<StoreSettings> storeSettings,
      LimiterListener listener) {
    Settings.Counting counting = settings.counting();
    if (counting.redis().isEmpty()) {
      LocalLimitStore local = local(() -> 1, storeSettings);
      return new WiredStores(
          new ObservedLimitStore(local, listener), local, Optional.empty(), Optional.empty());
    }
    RedisLimitStore redis =
        RedisLimitStore.connect(counting.redis().get().withNode(node), listener);
    try {
      LocalLimitStore fallback = local(redis.nodes(1), storeSettings);
      LimitStore cached =
          counting.denyCache().<LimitStore>map(cap -> DenyCache.of(redis, cap)).orElse(redis);
      TokenLeaseStore near =
          TokenLeaseStore.of(cached, counter -> storeSettings.get().isLeased(counter.name()));
      LimitStore failover = FailoverLimitStore.of(near, fallback);
      return new WiredStores(
          new ObservedLimitStore(failover, listener),
          fallback,
          Optional.of(near),
          Optional.of(redis));
    } catch (RuntimeException | Error failed) {
      redis.close();
      throw failed;
    }
  }

  /**
   * Returns a store whose limits are shared by the larger of the configured number of nodes and the
   * number last received from Redis.
   */
  private static LocalLimitStore local(IntSupplier live, Supplier<StoreSettings> storeSettings) {
    return LocalLimitStore.of(
        LocalOptions.of()
            .withNodes(
                () -> Math.max(storeSettings.get().settings().counting().nodes(), live.getAsInt()))
            .withMaxCounters(() -> storeSettings.get().settings().counting().maxCounters())
            .withLimits(() -> storeSettings.get().limits()));
  }

  /** A store that its users do not close. */
  record Unclosed(LimitStore owned) implements LimitStore {

    @Override
    public Decision decide(AcquireRequest request) throws StoreUnavailableException {
      return owned.decide(request);
    }

    @Override
    public Set<Decision.Receipt.Grant> adjust(Adjustment adjustment, Deadline deadline)
        throws StoreUnavailableException {
      return owned.adjust(adjustment, deadline);
    }

    @Override
    public boolean isHealthy() {
      return owned.isHealthy();
    }

    @Override
    public void close() {
      // the owner closes it
    }
  }

  @Override
  public void close() {
    deciding.close();
  }

  /**
   * What the stores use of a configuration: its settings, and the limits that its rules charge.
   * Rules of annotations are added later. Thread-safe.
   */
  static final class StoreSettings {

    private final Settings settings;
    private final Set<String> leased;
    private final Set<String> limits = ConcurrentHashMap.newKeySet();

    StoreSettings(Settings settings) {
      this.settings = settings;
      this.leased = settings.limits().leased();
      settings.rules().enabled().forEach(this::add);
    }

    void add(Rule rule) {
      rule.limits().stream().map(Rule.NamedLimit::name).forEach(limits::add);
      rule.onDenial().ban().ifPresent(ban -> limits.add(Ban.counterName(rule.name())));
    }

    /** Returns the number of limits that rules use. */
    int limits() {
      return limits.size();
    }

    /** Returns the names of the limits that rules use, those of bans included. */
    Set<String> names() {
      return Set.copyOf(limits);
    }

    boolean isLeased(String limit) {
      return leased.contains(limit);
    }

    Settings settings() {
      return settings;
    }
  }
}
