package dev.weir.near;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.limit.Limit;
import dev.weir.redis.RedisLimitStore;
import dev.weir.redis.RedisOptions;
import dev.weir.redis.RedisServer;
import dev.weir.redis.RedisVersion;
import dev.weir.store.AcquireRequest;
import dev.weir.store.AcquireRequest.Charge;
import dev.weir.store.Counter;
import dev.weir.store.Deadline;
import dev.weir.store.Decision;
import dev.weir.store.LimiterListener;
import dev.weir.store.OnOutage;
import dev.weir.store.Source;
import dev.weir.store.StoreUnavailableException;
import dev.weir.store.StoreUnavailableException.Kind;
import dev.weir.store.Subject;
import java.time.Duration;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.MethodSource;

/** Token leases of a real store, on every tested Redis. */
@ParameterizedClass(name = "{0}")
@MethodSource("dev.weir.redis.RedisVersion#tested")
class LeaseOnRedisTest {

  private static final Duration TIME = Duration.ofSeconds(5);

  @Parameter RedisVersion version = RedisVersion.embedded();

  private final Counter counter =
      new Counter(
          "hot",
          Limit.parse("1000000 per second, burst 1000000"),
          Subject.of(UUID.randomUUID().toString()));

  private final AtomicBoolean hasLease = new AtomicBoolean();

  @Test
  void a_hot_counter_is_decided_in_process() throws Exception {
    Map<Source, Integer> sources = new EnumMap<>(Source.class);
    try (TokenLeaseStore store = open(RedisServer.shared(version), TIME)) {
      long start = System.nanoTime();
      for (int i = 0; i < 400_000; i++) {
        Decision decision = store.decide(request(TIME));
        assertThat(decision.allowed()).isTrue();
        sources.merge(decision.source(), 1, Integer::sum);
      }
      System.out.println(sources + " in " + (System.nanoTime() - start) / 1_000_000 + " ms");
    }
    assertThat(sources.get(Source.LEASE)).isGreaterThan(300_000);
  }

  @Test
  void a_fetch_that_redis_does_not_answer_is_an_outage_and_ends_by_the_deadline() {
    Duration time = Duration.ofMillis(750);
    try (RedisServer server = RedisServer.start(version);
        TokenLeaseStore store = open(server, Duration.ofSeconds(1))) {
      CompletableFuture<StoreUnavailableException> failure =
          CompletableFuture.supplyAsync(() -> firstFailure(store, time));
      Awaitility.await().untilTrue(hasLease);
      server.freeze();
      try {
        assertThat(failure)
            .succeedsWithin(TIME)
            .matches(failed -> failed.kind() == Kind.OUTAGE)
            .asString()
            .contains("no answer by the deadline");
      } finally {
        server.thaw();
      }
    }
  }

  /** While leases are in use, each call to Redis is a fetch. */
  private StoreUnavailableException firstFailure(TokenLeaseStore store, Duration time) {
    while (true) {
      try {
        if (store.decide(request(time)).source() == Source.LEASE) {
          hasLease.set(true);
        }
      } catch (StoreUnavailableException failed) {
        return failed;
      }
    }
  }

  private AcquireRequest request(Duration time) {
    return new AcquireRequest(List.of(new Charge(counter, 1)), OnOutage.DENY, Deadline.after(time));
  }

  private static TokenLeaseStore open(RedisServer server, Duration deadline) {
    RedisOptions options = RedisOptions.of(server.uri(), "leases").withDeadline(deadline);
    RedisLimitStore redis = RedisLimitStore.connect(options, LimiterListener.NONE);
    assertThat(redis.awaitAnswer(TIME)).isTrue();
    return TokenLeaseStore.of(redis, counter -> true);
  }
}
