package dev.weir.near;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.AcquireRequest;
import dev.weir.Charge;
import dev.weir.Counter;
import dev.weir.Deadline;
import dev.weir.Decision;
import dev.weir.LimiterListener;
import dev.weir.OnOutage;
import dev.weir.Source;
import dev.weir.Subject;
import dev.weir.limit.Limit;
import dev.weir.redis.RedisLimitStore;
import dev.weir.redis.RedisOptions;
import dev.weir.redis.RedisServer;
import dev.weir.redis.RedisVersion;
import java.time.Duration;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.MethodSource;

/** Token leases of a real store, on every tested Redis. */
@ParameterizedClass(name = "{0}")
@MethodSource("dev.weir.redis.RedisVersion#tested")
class LeaseOnRedisTest {

  @Parameter RedisVersion version = RedisVersion.embedded();

  @Test
  void a_hot_counter_is_decided_in_process() throws Exception {
    Counter counter =
        new Counter(
            "hot",
            Limit.parse("1000000 per second, burst 1000000"),
            Subject.of(UUID.randomUUID().toString()));
    Map<Source, Integer> sources = new EnumMap<>(Source.class);
    try (TokenLeaseStore store = open()) {
      long start = System.nanoTime();
      for (int i = 0; i < 400_000; i++) {
        AcquireRequest request =
            new AcquireRequest(
                List.of(new Charge(counter, 1)),
                OnOutage.DENY,
                Deadline.after(Duration.ofSeconds(5)));
        Decision decision = store.decide(request);
        assertThat(decision.allowed()).isTrue();
        sources.merge(decision.source(), 1, Integer::sum);
      }
      System.out.println(sources + " in " + (System.nanoTime() - start) / 1_000_000 + " ms");
    }
    assertThat(sources.get(Source.LEASE)).isGreaterThan(300_000);
  }

  private TokenLeaseStore open() {
    RedisOptions options =
        RedisOptions.of(RedisServer.shared(version).uri(), "leases")
            .withDeadline(Duration.ofSeconds(5));
    return new TokenLeaseStore(
        RedisLimitStore.connect(options, LimiterListener.NONE), counter -> true);
  }
}
