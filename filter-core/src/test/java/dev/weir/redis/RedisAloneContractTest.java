package dev.weir.redis;

import dev.weir.store.LimitStore;
import dev.weir.store.LimitStoreContract;
import dev.weir.store.LimiterListener;
import java.time.Duration;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.MethodSource;

/** The contract of every store without batching, on every available Redis. */
@ParameterizedClass(name = "{0}")
@MethodSource("dev.weir.redis.RedisVersion#tested")
class RedisAloneContractTest extends LimitStoreContract {

  @Parameter RedisVersion version = RedisVersion.embedded();

  @Override
  protected LimitStore open() {
    RedisOptions options =
        RedisOptions.of(RedisServer.shared(version).uri(), "alone")
            .withoutBatching()
            .withDeadline(Duration.ofSeconds(5));
    return RedisLimitStore.connect(options, LimiterListener.NONE);
  }
}
