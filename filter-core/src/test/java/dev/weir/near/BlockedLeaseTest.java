package dev.weir.near;

import static dev.weir.fixture.AcquireRequests.adjust;
import static dev.weir.fixture.AcquireRequests.charge;
import static dev.weir.fixture.AcquireRequests.decide;
import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.fixture.ManualScheduler;
import dev.weir.fixture.ManualTime;
import dev.weir.redis.RedisLimitStore;
import dev.weir.redis.RedisOptions;
import dev.weir.redis.RedisServer;
import dev.weir.redis.RedisVersion;
import dev.weir.store.AcquireRequest.Charge;
import dev.weir.store.Adjustment;
import dev.weir.store.Decision;
import dev.weir.store.Source;
import dev.weir.store.Subject;
import java.time.Duration;
import java.util.UUID;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What a node does with a lease whose counter another node blocks. */
class BlockedLeaseTest {

  private static final String WINDOW = "100_000 per day window UTC";
  private static final String BUCKET = "1 per day, burst 100_000";
  private static final Duration WHOLE = Duration.ofMillis(20);
  private static final Duration MINUTE = Duration.ofMinutes(1);

  private final ManualTime time = new ManualTime();
  private final Subject subject = Subject.of(UUID.randomUUID().toString());
  private final RedisLimitStore redis =
      RedisLimitStore.connect(
          RedisOptions.of(RedisServer.shared(RedisVersion.newest()).uri(), "blocked-leases")
              .withDeadline(Duration.ofSeconds(5)));
  private final TokenLeaseStore leases =
      new TokenLeaseStore(redis, counter -> true, time, new ManualScheduler(time));

  @AfterEach
  void close() {
    leases.close();
  }

  /** So many at once that a lease is worth it, from the next request on. */
  private Charge heated(String limit) {
    assertThat(redis.awaitAnswer(Duration.ofSeconds(5))).isTrue();
    Charge one = charge("hot", limit, subject, 1);
    for (int i = 0; i < 100; i++) {
      assertThat(decide(leases, one).source()).isEqualTo(Source.REDIS);
    }
    time.advance(Duration.ofMillis(1));
    return one;
  }

  @ParameterizedTest
  @ValueSource(strings = {WINDOW, BUCKET})
  void it_grants_the_rest_as_if_there_were_no_block_and_is_denied_then(String limit) {
    Charge one = heated(limit);
    assertThat(decide(leases, one).source()).isEqualTo(Source.LEASE);
    adjust(redis, new Adjustment.Block(one.counter(), MINUTE));
    Decision.Counted granted = decide(leases, one);
    assertThat(granted.source()).isEqualTo(Source.LEASE);
    assertThat(granted.binding().blockedFor()).isEmpty();
    time.advance(WHOLE);
    Decision.Counted denied = decide(leases, one);
    assertThat(denied.source()).isEqualTo(Source.REDIS);
    assertThat(denied.binding().blockedFor().orElseThrow()).isBetween(MINUTE.dividedBy(2), MINUTE);
  }
}
