package dev.weir;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.fixture.CallTrace;
import dev.weir.fixture.CallTrace.Scenario;
import dev.weir.fixture.ManualTime;
import dev.weir.local.LocalLimitStore;
import dev.weir.local.LocalOptions;
import dev.weir.redis.RedisLimitStore;
import dev.weir.redis.RedisOptions;
import dev.weir.redis.RedisServer;
import dev.weir.redis.RedisVersion;
import dev.weir.store.Decision;
import dev.weir.store.LimitStore;
import dev.weir.store.Subject;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/**
 * The code of one decision stays short enough to read. {@code -Dweir.trace=true} prints its types.
 * A change that makes it shorter lowers the bound, down to the target.
 */
class CodePathTest {

  private static final Subject ALICE = Subject.of("user", "alice");
  private static final String LIMIT = "100000 per hour";

  @Test
  void a_decision_in_process_calls_few_types() throws Exception {
    CallTrace trace = CallTrace.ofSteady(LocalDecision.class);
    assertThat(trace.types())
        .as("%s", trace)
        .contains("dev.weir.Limiter", "dev.weir.local.TokenBucketState")
        .hasSizeLessThanOrEqualTo(20);
  }

  @Test
  void a_decision_in_Redis_calls_few_types() throws Exception {
    CallTrace trace = CallTrace.ofSteady(RedisDecision.class);
    assertThat(trace.types())
        .as("%s", trace)
        .contains("dev.weir.Limiter", "dev.weir.redis.internal.client.RedisConnection")
        .hasSizeLessThanOrEqualTo(48);
  }

  /** A decision by the process alone. */
  static final class LocalDecision implements Scenario {

    /** Real time would refill a permit now and then, which takes other calls. */
    private final ManualTime time = new ManualTime();

    private final LimitStore store =
        LocalLimitStore.of(LocalOptions.of().withTime(time, time::instant));
    private final TokenLimiter limiter = TokenLimiter.of("calls", LIMIT, store);

    @Override
    public CallTrace run() {
      time.advance(Duration.ofMillis(1));
      return ofDecision(limiter);
    }

    @Override
    public void close() {
      store.close();
    }
  }

  /** A decision by a Redis of its own, from the call to the reply. */
  static final class RedisDecision implements Scenario {

    /**
     * The caller uses the socket itself only while its call has almost all of the deadline left. A
     * pause of a few milliseconds must not change that.
     */
    private static final Duration DEADLINE = Duration.ofSeconds(30);

    private final RedisServer server = RedisServer.start(RedisVersion.newest());
    private final RedisLimitStore store =
        RedisLimitStore.connect(RedisOptions.of(server.uri(), "shop").withDeadline(DEADLINE));
    private final TokenLimiter limiter =
        TokenLimiter.of("calls", LIMIT, store).withDeadline(DEADLINE);

    RedisDecision() {
      assertThat(store.awaitAnswer()).isTrue();
    }

    @Override
    public CallTrace run() {
      return ofDecision(limiter);
    }

    @Override
    public void close() {
      store.close();
      server.close();
    }
  }

  private static CallTrace ofDecision(TokenLimiter limiter) {
    CallTrace started = CallTrace.start();
    Decision decision = limiter.tryAcquire(ALICE);
    CallTrace trace = started.stop();
    assertThat(decision.allowed()).isTrue();
    return trace;
  }
}
