package dev.weir.redis;

import static dev.weir.fixture.AcquireRequests.charge;
import static dev.weir.fixture.AcquireRequests.decide;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.weir.PeriodLimiter.QuotaStatus;
import dev.weir.redis.internal.script.RedisKeys;
import dev.weir.store.AcquireRequest.Charge;
import dev.weir.store.Decision;
import dev.weir.store.Decision.Retry;
import dev.weir.store.LimiterListener;
import dev.weir.store.Subject;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.UUID;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import redis.clients.jedis.exceptions.JedisDataException;

/**
 * Defects of the limiters that this project started from. Each is shown on a script written after
 * theirs, and shown to be absent from ours.
 */
class GoZeroRegressionTest extends OnEveryRedis {

  private static final String TOKENS = resource("go_zero_tokens.lua");
  private static final String PERIOD = resource("go_zero_period.lua");

  private final String id = UUID.randomUUID().toString();
  private final Subject alice = Subject.of("user", id);
  private Instant now = Instant.now();

  @SuppressWarnings("NullAway.Init") // connected before each test
  private RedisLimitStore store;

  @BeforeEach
  void connect() {
    store =
        RedisLimitStore.connect(
            RedisOptions.of(server.uri(), "go-zero")
                .withClock(RedisOptions.Clock.NODE)
                .withDeadline(Duration.ofSeconds(5)),
            LimiterListener.NONE,
            () -> now);
  }

  @AfterEach
  void disconnect() {
    store.close();
  }

  @Test
  void a_burst_below_half_the_rate_made_every_call_fail() {
    assertThatThrownBy(() -> theirs(10, 4, 0)).isInstanceOf(JedisDataException.class);

    assertThat(ours("10 per second, burst 4")).isTrue();
  }

  @Test
  void refill_by_whole_seconds_could_not_sustain_a_rate_above_the_burst() {
    int theirs = 0;
    int ours = 0;
    for (int tenth = 0; tenth < 200; tenth++) {
      theirs += theirs(10, 5, tenth / 10) ? 1 : 0;
      ours += ours("10 per second, burst 5") ? 1 : 0;
      now = now.plusMillis(100);
    }
    assertThat(theirs).isLessThan(110);
    assertThat(ours).isEqualTo(200);
  }

  @Test
  void refill_by_whole_seconds_admitted_twice_the_burst_across_a_tick() {
    int theirs = 0;
    int ours = 0;
    for (int i = 0; i < 300; i++) {
      theirs += theirs(100, 100, i < 150 ? 0 : 1) ? 1 : 0;
      ours += ours("100 per second") ? 1 : 0;
      now = i == 149 ? now.plusMillis(1) : now;
    }
    assertThat(theirs).isEqualTo(200);
    assertThat(ours).isEqualTo(100);
  }

  @Test
  void a_node_whose_clock_is_behind_minted_tokens() {
    int theirs = 0;
    int ours = 0;
    Instant ahead = now.plusSeconds(5);
    Instant behind = now;
    for (int i = 0; i < 40; i++) {
      theirs += theirs(1, 5, i % 2 == 0 ? 5 : 0) ? 1 : 0;
      now = i % 2 == 0 ? ahead : behind;
      ours += ours("1 per second, burst 5") ? 1 : 0;
    }
    assertThat(theirs).isGreaterThan(5);
    assertThat(ours).isEqualTo(5);
  }

  @Test
  void a_period_key_without_a_time_to_live_stayed_for_ever() {
    String key = "go-zero-period-" + id;
    redis.set(key, "3");
    assertThat(period(key, 3)).isEqualTo(0L);
    assertThat(redis.pttl(key)).isEqualTo(-1);

    Charge charge = charge("period", "3 per second window", alice, 1);
    String ourKey = new RedisKeys("go-zero", Optional.empty()).key(charge.counter());
    redis.set(ourKey, "3:" + (now.toEpochMilli() + 1_000) * 1_000);
    assertThat(decide(store, charge).allowed()).isFalse();
    now = now.plusMillis(1_001);
    assertThat(decide(store, charge).allowed()).isTrue();
    assertThat(redis.pttl(ourKey)).isPositive();
  }

  @Test
  void an_answer_was_a_bare_boolean() {
    assertThat(redis.eval(TOKENS, tokenKeys(), List.of("1", "5", "0", "6"))).isNull();

    Decision.Counted tooMany = decide(store, charge("reason", "1 per second, burst 5", alice, 6));
    assertThat(tooMany.isNeverSatisfiable()).isTrue();
    decide(store, charge("reason", "1 per second, burst 5", alice, 5));
    Decision.Counted empty = decide(store, charge("reason", "1 per second, burst 5", alice, 1));
    assertThat(empty.limitName()).hasValue("reason");
    assertThat(empty.binding().retry()).isEqualTo(new Retry.After(Duration.ofSeconds(1)));
    Charge last = charge("quota", "1 per second window", alice, 1);
    assertThat(QuotaStatus.of(decide(store, last))).isEqualTo(QuotaStatus.HIT_QUOTA);
    assertThat(QuotaStatus.of(decide(store, last))).isEqualTo(QuotaStatus.OVER_QUOTA);
  }

  private boolean theirs(int rate, int burst, long second) {
    List<String> arguments =
        List.of(rate + "", burst + "", Long.toString(1_700_000_000L + second), "1");
    return Objects.equals(redis.eval(TOKENS, tokenKeys(), arguments), 1L);
  }

  private List<String> tokenKeys() {
    return List.of("{" + id + "}.tokens", "{" + id + "}.ts");
  }

  private Object period(String key, int quota) {
    return redis.eval(PERIOD, List.of(key), List.of(quota + "", "1"));
  }

  private boolean ours(String limit) {
    return decide(store, charge(limit, limit, alice, 1)).allowed();
  }

  private static String resource(String name) {
    try (InputStream in =
        Objects.requireNonNull(GoZeroRegressionTest.class.getResourceAsStream(name))) {
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new IllegalStateException(name, e);
    }
  }
}
