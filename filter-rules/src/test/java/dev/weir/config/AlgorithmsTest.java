package dev.weir.config;

import static dev.weir.fixture.AcquireRequests.decide;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.weir.fixture.AcquireRequests;
import dev.weir.http.ResponseStyle;
import dev.weir.http.internal.response.ResponseFields;
import dev.weir.http.internal.response.ServiceRate;
import dev.weir.http.spi.Outcome.Field;
import dev.weir.internal.wait.CounterQueues;
import dev.weir.limit.Limit;
import dev.weir.limit.Limit.Algorithm;
import dev.weir.local.LocalLimitStore;
import dev.weir.redis.RedisLimitStore;
import dev.weir.redis.RedisOptions;
import dev.weir.redis.RedisServer;
import dev.weir.redis.RedisVersion;
import dev.weir.store.AcquireRequest.Charge;
import dev.weir.store.Adjustment;
import dev.weir.store.Counter;
import dev.weir.store.Decision;
import dev.weir.store.Decision.Retry;
import dev.weir.store.LimitStore;
import dev.weir.store.LimiterListener;
import dev.weir.store.Subject;
import java.time.Duration;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.EnumSource.Mode;

/** What each algorithm must have, from the text of a limit to the fields of a response. */
class AlgorithmsTest {

  /** Each has a capacity of 2, and is not full again before a test ends. */
  private static String text(Algorithm algorithm) {
    return switch (algorithm) {
      case TOKEN_BUCKET -> "1 per day, burst 2";
      case LEAKY_BUCKET -> "1 per day leaky, capacity 2";
      case FIXED_WINDOW -> "2 per day window";
      case SLIDING_WINDOW -> "2 per day sliding, sub-windows 5";
      case CONCURRENCY -> "2 concurrent, ttl 10m";
    };
  }

  /** The same limit in a map. */
  private static String map(Algorithm algorithm) {
    return switch (algorithm) {
      case TOKEN_BUCKET -> "token-bucket: 1 per day, burst: 2";
      case LEAKY_BUCKET -> "leaky-bucket: 1 per day, capacity: 2";
      case FIXED_WINDOW -> "fixed-window: 2 per day";
      case SLIDING_WINDOW -> "sliding-window: 2 per day, sub-windows: 5";
      case CONCURRENCY -> "concurrent: 2, ttl: 10m";
    };
  }

  private static Limit limit(Algorithm algorithm) {
    return Limit.parse(text(algorithm));
  }

  @ParameterizedTest
  @EnumSource
  void it_is_read_as_it_is_printed(Algorithm algorithm) {
    Limit limit = limit(algorithm);
    assertThat(limit.algorithm()).isEqualTo(algorithm);
    assertThat(limit.capacity()).isEqualTo(2);
    assertThat(Limit.parse(limit.toString())).isEqualTo(limit);
  }

  @ParameterizedTest
  @EnumSource
  void a_map_means_the_same_as_a_line(Algorithm algorithm) {
    assertThat(fromYaml("{ " + map(algorithm) + " }")).isEqualTo(limit(algorithm));
  }

  @ParameterizedTest
  @EnumSource(names = "TOKEN_BUCKET", mode = Mode.EXCLUDE)
  void a_rate_in_a_map_is_without_its_word(Algorithm algorithm) {
    String line = text(algorithm).replaceFirst(",.*", "");
    assertThatThrownBy(() -> fromYaml("{ token-bucket: '" + line + "' }"))
        .hasMessageContaining("permits per time");
  }

  @ParameterizedTest
  @EnumSource
  void only_some_can_be_leased(Algorithm algorithm) {
    String leased = "{ " + map(algorithm) + ", leases: auto }";
    if (algorithm.isLeasable()) {
      assertThat(fromYaml(leased)).isEqualTo(limit(algorithm));
    } else {
      assertThatThrownBy(() -> fromYaml(leased))
          .hasMessageContaining("no leases, which belongs to");
    }
  }

  @ParameterizedTest
  @EnumSource
  void this_node_grants_it_and_denies_what_is_beyond_it(Algorithm algorithm) {
    try (LimitStore store = LocalLimitStore.of()) {
      assertIsLimited(store, algorithm);
    }
  }

  @ParameterizedTest
  @EnumSource
  void this_node_makes_every_change_of_it(Algorithm algorithm) {
    try (LimitStore store = LocalLimitStore.of()) {
      assertCanBeChanged(store, algorithm);
    }
  }

  @ParameterizedTest
  @EnumSource
  void Redis_grants_it_and_denies_what_is_beyond_it(Algorithm algorithm) {
    try (LimitStore store = redis()) {
      assertIsLimited(store, algorithm);
    }
  }

  @ParameterizedTest
  @EnumSource
  void Redis_makes_every_change_of_it(Algorithm algorithm) {
    try (LimitStore store = redis()) {
      assertCanBeChanged(store, algorithm);
    }
  }

  private static LimitStore redis() {
    return RedisLimitStore.connect(
        RedisOptions.of(RedisServer.shared(RedisVersion.newest()).uri(), "of-" + System.nanoTime()),
        LimiterListener.NONE);
  }

  /** Held permits stay with their holders: a reward and a debit do nothing to them. */
  private static void assertCanBeChanged(LimitStore store, Algorithm algorithm) {
    Counter counter = charge(algorithm, 1).counter();
    decide(store, charge(algorithm, 2));
    AcquireRequests.adjust(store, new Adjustment.Reward(counter, 2));
    assertThat(decide(store, charge(algorithm, 1)).allowed()).isEqualTo(!algorithm.isHeld());
    AcquireRequests.adjust(store, new Adjustment.Reset(counter));
    Decision.Counted one = decide(store, charge(algorithm, 1));
    assertThat(one.allowed()).isTrue();
    assertThat(AcquireRequests.renew(store, one)).isTrue();
    AcquireRequests.adjust(store, new Adjustment.Reconcile(one.receipt(), 2));
    assertThat(decide(store, charge(algorithm, 1)).allowed()).isEqualTo(algorithm.isHeld());
    AcquireRequests.adjust(store, new Adjustment.Reset(counter));
    AcquireRequests.adjust(store, new Adjustment.Block(counter, Duration.ofHours(1)));
    assertThat(decide(store, charge(algorithm, 1)).binding().blockedFor()).isPresent();
    AcquireRequests.adjust(store, new Adjustment.Unblock(counter));
    assertThat(decide(store, charge(algorithm, 1)).allowed()).isTrue();
  }

  private static void assertIsLimited(LimitStore store, Algorithm algorithm) {
    Charge both = charge(algorithm, 2);
    Decision.Counted granted = decide(store, both);
    assertThat(granted.allowed()).isTrue();
    assertThat(granted.receipt().held().grants().isEmpty()).isEqualTo(!algorithm.isHeld());
    assertIsDenied(decide(store, charge(algorithm, 1)));
    Decision.Counted never = decide(store, charge(algorithm, 3));
    assertThat(never.binding().retry()).isEqualTo(Retry.NEVER);
    AcquireRequests.refund(store, granted);
  }

  private static void assertIsDenied(Decision.Counted denied) {
    assertThat(denied.allowed()).isFalse();
    assertThat(denied.binding().remaining()).isZero();
    assertThat(denied.binding().retry()).isInstanceOf(Retry.After.class);
    assertThat(ServiceRate.after(denied.binding(), 1).requests()).isGreaterThanOrEqualTo(1);
    assertThat(new ResponseFields(ResponseStyle.DEFAULT).rejected(denied, denied.verdicts()))
        .satisfies(
            rejected ->
                assertThat(rejected.fields())
                    .extracting(Field::name)
                    .contains("Retry-After", "RateLimit-Policy", "RateLimit"));
  }

  @ParameterizedTest
  @EnumSource
  void at_least_its_capacity_can_be_granted(Algorithm algorithm) {
    assertThat(CounterQueues.mostGranted(limit(algorithm), Duration.ZERO))
        .isGreaterThanOrEqualTo(2);
  }

  private static Charge charge(Algorithm algorithm, long permits) {
    return new Charge(new Counter("limit", limit(algorithm), Subject.of("user", "alice")), permits);
  }

  private static Limit fromYaml(String limit) {
    return Weirs.settings("limits: { it: " + limit + " }")
        .limits()
        .byName()
        .values()
        .iterator()
        .next()
        .limit();
  }
}
