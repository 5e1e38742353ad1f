package dev.weir.redis;

import dev.weir.fixture.SideBySide;
import dev.weir.store.LimitStore;
import dev.weir.store.LimiterListener;
import dev.weir.store.TimedWaitingContract;
import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.MethodSource;

/** The contract of every store as time passes, on every available Redis and a node's own clock. */
@SideBySide
@ParameterizedClass(name = "{0}")
@MethodSource("dev.weir.redis.RedisVersion#tested")
class RedisNodeClockContractTest extends TimedWaitingContract {

  @Parameter RedisVersion version = RedisVersion.embedded();

  private Instant now = Instant.now();

  @Override
  protected LimitStore open() {
    RedisOptions options =
        RedisOptions.of(RedisServer.shared(version).uri(), "timed")
            .withClock(RedisOptions.Clock.NODE)
            .withDeadline(Duration.ofSeconds(5));
    return RedisLimitStore.connect(options, LimiterListener.NONE, () -> now);
  }

  @Override
  protected void advance(Duration time) {
    now = now.plus(time);
  }

  @Override
  protected void setDate(String instant) {
    now = Instant.parse(instant);
  }
}
