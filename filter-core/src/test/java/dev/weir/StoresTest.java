package dev.weir;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.weir.redis.RedisLimitStore;
import dev.weir.redis.RedisOptions;
import dev.weir.redis.RedisServer;
import dev.weir.redis.RedisVersion;
import dev.weir.store.AcquireRequest;
import dev.weir.store.Decision;
import dev.weir.store.LimitStore;
import dev.weir.store.LimiterListener;
import dev.weir.store.Source;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** The stores that one line opens, on a real Redis. */
class StoresTest {

  private final RedisServer redis = RedisServer.start(RedisVersion.newest());

  @AfterEach
  void stop() {
    redis.close();
  }

  private Stores.Builder shop() {
    return Stores.redis(redis.uri(), "shop").deadline(Duration.ofSeconds(2));
  }

  private static TokenLimiter limiter(LimitStore store) {
    return TokenLimiter.of("calls", "4 per hour", store).withDeadline(Duration.ofSeconds(2));
  }

  @Test
  void redis_decides_and_denials_are_remembered() {
    try (LimitStore store = shop().open()) {
      TokenLimiter calls = limiter(store);
      assertThat(calls.tryAcquire("u", 4).source()).isEqualTo(Source.REDIS);
      assertThat(calls.tryAcquire("u").source()).isEqualTo(Source.REDIS);
      assertThat(calls.tryAcquire("u").source()).isEqualTo(Source.DENY_CACHE);
    }
    assertThat(redis.calls("evalsha") + redis.calls("eval")).isPositive();
  }

  @Test
  void this_process_limits_by_its_share_in_an_outage() {
    try (LimitStore store = shop().nodes(2).open()) {
      TokenLimiter calls = limiter(store);
      redis.kill();
      Decision decision = calls.tryAcquire("u");
      assertThat(decision.source()).isEqualTo(Source.LOCAL);
      assertThat(decision.remaining()).hasValue(1);
    }
  }

  @Test
  void without_a_fallback_the_outage_policy_decides() {
    try (LimitStore store = shop().withoutFallback().open()) {
      redis.kill();
      assertThat(limiter(store).tryAcquire("u").source()).isEqualTo(Source.FAIL_CLOSED);
    }
  }

  @Test
  void without_a_deny_cache_redis_decides_each_time() {
    try (LimitStore store = shop().withoutDenyCache().open()) {
      TokenLimiter calls = limiter(store);
      calls.tryAcquire("u", 4);
      for (int i = 0; i < 3; i++) {
        assertThat(calls.tryAcquire("u").source()).isEqualTo(Source.REDIS);
      }
    }
  }

  @Test
  void permits_of_named_limits_are_leased() {
    try (LimitStore store = shop().leases("many").denyCache(Duration.ofSeconds(5)).open()) {
      TokenLimiter many = TokenLimiter.of("many", "50_000 per second, burst 50_000", store);
      Awaitility.await()
          .until(
              () ->
                  IntStream.range(0, 1_000)
                      .anyMatch(i -> many.tryAcquire("u").source() == Source.LEASE));
    }
  }

  @Test
  void a_listener_is_notified_of_decisions_and_outages() {
    AtomicInteger decisions = new AtomicInteger();
    AtomicInteger switches = new AtomicInteger();
    LimiterListener listener =
        new LimiterListener() {
          @Override
          public void onDecision(AcquireRequest request, Decision decision, Duration took) {
            decisions.incrementAndGet();
          }

          @Override
          public void onStoreSwitched(Source now, String why) {
            switches.incrementAndGet();
          }
        };
    try (LimitStore store = shop().listener(listener).open()) {
      limiter(store).tryAcquire("u");
      assertThat(decisions).hasValue(1);
      redis.kill();
      Awaitility.await()
          .until(
              () -> {
                limiter(store).tryAcquire("u");
                return switches.get() > 0;
              });
    }
  }

  @Test
  void a_store_of_redis_alone_is_one_line_too() {
    try (RedisLimitStore store = RedisLimitStore.connect(redis.uri(), "shop")) {
      assertThat(store.awaitAnswer()).isTrue();
      assertThat(limiter(store).tryAcquire("u").source()).isEqualTo(Source.REDIS);
    }
  }

  @Test
  void what_is_out_of_range_is_refused_before_anything_is_opened() {
    assertThatIllegalArgumentException().isThrownBy(() -> Stores.redis("http://localhost", "shop"));
    assertThatIllegalArgumentException()
        .isThrownBy(() -> shop().nodes(0))
        .withMessage("nodes: 0 (expected: > 0)");
    assertThatIllegalArgumentException().isThrownBy(() -> shop().denyCache(Duration.ofHours(1)));
    assertThatIllegalArgumentException()
        .isThrownBy(() -> Stores.redis(RedisOptions.of(redis.uri(), "a")).maxCounters(0).open())
        .withMessage("maxCounters: 0 (expected: from 1 to 2^30)");
    RedisOptions byNode = RedisOptions.of(redis.uri(), "a").withClock(RedisOptions.Clock.NODE);
    assertThatIllegalArgumentException()
        .isThrownBy(() -> Stores.redis(byNode).leases("many").open())
        .withMessage("leases: [many] (expected: none, where nodes decide by their own clocks)");
  }
}
