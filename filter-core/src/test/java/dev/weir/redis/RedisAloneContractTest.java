package dev.weir.redis;

import dev.weir.LimitStore;
import dev.weir.LimitStoreContract;
import dev.weir.LimiterListener;
import java.time.Duration;

/** The contract of every store, where each decision is a trip of its own. */
class RedisAloneContractTest extends LimitStoreContract {

  @Override
  protected LimitStore open() {
    RedisOptions options =
        RedisOptions.of(RedisServer.shared(RedisVersion.newest()).uri(), "alone")
            .withTrips(RedisTrips.ALONE)
            .withDeadline(Duration.ofSeconds(5));
    return RedisLimitStore.connect(options, LimiterListener.NONE);
  }
}
