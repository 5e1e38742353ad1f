package dev.weir.near;

import static dev.weir.fixture.AcquireRequests.charge;
import static dev.weir.fixture.AcquireRequests.decide;
import static dev.weir.fixture.AcquireRequests.peek;
import static dev.weir.fixture.AcquireRequests.refund;
import static dev.weir.fixture.AcquireRequests.request;
import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.fixture.Alone;
import dev.weir.fixture.Race;
import dev.weir.redis.RedisLimitStore;
import dev.weir.redis.RedisOptions;
import dev.weir.redis.RedisServer;
import dev.weir.redis.RedisVersion;
import dev.weir.store.AcquireRequest;
import dev.weir.store.AcquireRequest.Charge;
import dev.weir.store.Decision;
import dev.weir.store.LimitStore;
import dev.weir.store.LimiterListener;
import dev.weir.store.Source;
import dev.weir.store.Subject;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.LongAdder;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * The contract of every store, where every limit is leased and denials are remembered. The store
 * allows no more than the limit, whatever is out. It allows no less than the limit, except for what
 * is out, and for what leases had that ended while the machine stalled. The remaining permits that
 * it reports are available. The limits refill so slowly that no time passes.
 */
@Alone
@ParameterizedClass(name = "{0}, batching {1}")
@MethodSource("everyRedis")
class LeaseContractTest {

  /** Of what a limit promises, no more than this part is out. */
  private static final int PART = 4;

  private static final List<String> LEASED = List.of("1000 per 30 days", "1000 per 30 days window");
  private static final List<String> NOT_LEASED =
      List.of("1000 per 30 days sliding", "1000 concurrent");

  private final Subject alice = Subject.of("user", "alice" + UUID.randomUUID());

  @Parameter(0)
  RedisVersion version = RedisVersion.embedded();

  @Parameter(1)
  boolean batching = true;

  @SuppressWarnings("NullAway.Init") // connected before each test
  private LimitStore redis;

  @SuppressWarnings("NullAway.Init") // opened before each test
  private EndedLeases ended;

  @SuppressWarnings("NullAway.Init") // opened before each test
  private TokenLeaseStore store;

  static Stream<Arguments> everyRedis() {
    return RedisVersion.tested().stream()
        .flatMap(
            version -> Stream.of(true, false).map(batching -> Arguments.of(version, batching)));
  }

  @BeforeEach
  void open() {
    redis = connect();
    ended = new EndedLeases(DenyCache.of(connect(), Duration.ofSeconds(1)));
    store = TokenLeaseStore.of(ended, counter -> true);
  }

  private LimitStore connect() {
    RedisOptions options =
        RedisOptions.of(RedisServer.shared(version).uri(), "leased")
            .withDeadline(Duration.ofSeconds(5));
    return RedisLimitStore.connect(
        batching ? options : options.withoutBatching(), LimiterListener.NONE);
  }

  /** What a limit grants at least: all but what is out, and what leases had when they ended. */
  private long least(String name, long permits) {
    return permits - permits / PART - ended.permits(name);
  }

  @AfterEach
  void close() {
    store.close();
    redis.close();
  }

  @Test
  void racing_threads_never_get_more_than_the_limit_and_all_of_it_but_what_is_out()
      throws Exception {
    for (String limit : LEASED) {
      AcquireRequest one = request(charge(limit, limit, alice, 1));
      LongAdder admitted = new LongAdder();
      LongAdder leased = new LongAdder();
      Race.run(
          thread -> {
            for (int i = 0; i < 200; i++) {
              Decision decision = decide(store, one);
              admitted.add(decision.allowed() ? 1 : 0);
              leased.add(decision.allowed() && decision.source() == Source.LEASE ? 1 : 0);
            }
          });
      assertThat(admitted.sum()).as(limit).isBetween(least(limit, 1000), 1000L);
      assertThat(leased.sum()).as(limit + ": there were leases").isPositive();
    }
  }

  @Test
  void of_two_limits_both_are_kept_and_no_charge_of_the_wider_one_is_forgotten() throws Exception {
    Charge tight = charge("tight", "500 per 30 days", alice, 1);
    Charge wide = charge("wide", "2000 per 30 days", alice, 1);
    LongAdder admitted = new LongAdder();
    Race.run(
        thread -> {
          AcquireRequest both = thread % 2 == 0 ? request(tight, wide) : request(wide, tight);
          for (int i = 0; i < 125; i++) {
            admitted.add(decide(store, both).allowed() ? 1 : 0);
          }
        });
    assertThat(admitted.sum()).isBetween(least("tight", 500), 500L);
    assertThat(peek(redis, wide).binding().remaining()).isLessThanOrEqualTo(2000 - admitted.sum());
  }

  @Test
  void what_is_told_to_remain_is_never_more_than_does() {
    for (String limit : LEASED) {
      for (long admitted = 0; decide(store, charge(limit, limit, alice, 1)).allowed(); ) {
        admitted++;
        assertThat(peek(store, charge(limit, limit, alice, 1)).binding().remaining())
            .as("%s, after %d", limit, admitted)
            .isLessThanOrEqualTo(1000 - admitted);
      }
    }
  }

  @Test
  void whatever_is_given_back_no_more_is_granted_at_a_time_than_the_limit() throws Exception {
    for (String limit : LEASED) {
      AcquireRequest some = request(charge(limit, limit, alice, 7));
      AtomicLong inUse = new AtomicLong();
      AtomicLong most = new AtomicLong();
      Race.run(
          thread -> {
            for (int i = 0; i < 150; i++) {
              Decision.Counted decision = decide(store, some);
              if (decision.allowed()) {
                most.accumulateAndGet(inUse.addAndGet(7), Math::max);
                if (i % 3 > 0) {
                  inUse.addAndGet(-7);
                  refund(store, decision);
                }
              }
            }
          });
      assertThat(most.get()).as(limit).isBetween(7L, 1000L);
      assertThat(peek(redis, charge(limit, limit, alice, 1)).binding().remaining())
          .as(limit)
          .isLessThanOrEqualTo(1000 - inUse.get());
    }
  }

  @Test
  void what_cannot_be_leased_is_as_exact_as_without() {
    for (String limit : NOT_LEASED) {
      for (int i = 1; i <= 100; i++) {
        Decision.Counted decision = decide(store, charge(limit, limit, alice, 10));
        assertThat(decision.allowed()).as("%s, %d", limit, i).isTrue();
        assertThat(decision.source()).as(limit).isEqualTo(Source.REDIS);
      }
      Decision.Counted beyond = decide(store, charge(limit, limit, alice, 1));
      assertThat(beyond.allowed()).as(limit).isFalse();
    }
  }
}
