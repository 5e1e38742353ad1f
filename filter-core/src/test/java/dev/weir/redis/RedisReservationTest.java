package dev.weir.redis;

import dev.weir.ReservationContract;
import dev.weir.store.LimitStore;
import dev.weir.store.LimiterListener;
import java.time.Duration;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.MethodSource;

/** Reservations in every available Redis, by a clock of the node's own. */
@ParameterizedClass(name = "{0}")
@MethodSource("dev.weir.redis.RedisVersion#tested")
class RedisReservationTest extends ReservationContract {

  @Parameter RedisVersion version = RedisVersion.embedded();

  @Override
  protected LimitStore open() {
    RedisOptions options =
        RedisOptions.of(RedisServer.shared(version).uri(), "reserved")
            .withClock(RedisOptions.Clock.NODE)
            .withDeadline(Duration.ofSeconds(5));
    return RedisLimitStore.connect(options, LimiterListener.NONE, time::instant);
  }

  @Override
  protected int traces() {
    return 40;
  }
}
