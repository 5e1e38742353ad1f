package dev.weir.redis;

import dev.weir.fixture.SideBySide;
import dev.weir.fixture.TestRun;
import dev.weir.near.DenyCache;
import dev.weir.store.LimitStore;
import dev.weir.store.LimiterListener;
import dev.weir.store.TimedWaitingContract;
import java.time.Duration;
import java.time.Instant;
import java.util.stream.Stream;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** The contract of every store as time passes, with a deny cache in front of Redis. */
@SideBySide
@ParameterizedClass(name = "{0}, batching {1}")
@MethodSource("everyRedis")
class RedisDenyCacheContractTest extends TimedWaitingContract {

  @Parameter(0)
  RedisVersion version = RedisVersion.embedded();

  @Parameter(1)
  boolean batching = true;

  private Instant now = Instant.now();
  private long passedNanos;

  static Stream<Arguments> everyRedis() {
    return RedisVersion.tested().stream()
        .flatMap(version -> batchings().map(batching -> Arguments.of(version, batching)));
  }

  private static Stream<Boolean> batchings() {
    return TestRun.isFull() ? Stream.of(true, false) : Stream.of(true);
  }

  @Override
  protected LimitStore open() {
    RedisOptions options =
        RedisOptions.of(RedisServer.shared(version).uri(), "denied")
            .withClock(RedisOptions.Clock.NODE)
            .withDeadline(Duration.ofSeconds(5));
    RedisOptions chosen = batching ? options : options.withoutBatching();
    LimitStore redis = RedisLimitStore.connect(chosen, LimiterListener.NONE, () -> now);
    return DenyCache.of(redis, Duration.ofSeconds(1), () -> passedNanos);
  }

  @Override
  protected void advance(Duration time) {
    now = now.plus(time);
    passedNanos += time.toNanos();
  }

  @Override
  protected void setDate(String instant) {
    Instant date = Instant.parse(instant);
    passedNanos += Math.max(0, Duration.between(now, date).toNanos());
    now = date;
  }
}
