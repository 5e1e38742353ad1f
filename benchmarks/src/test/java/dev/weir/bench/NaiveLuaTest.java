package dev.weir.bench;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.within;

import dev.weir.bench.peer.Answer;
import dev.weir.bench.peer.NaiveLua;
import dev.weir.limit.Limit;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import redis.clients.jedis.Jedis;

/** The naive scripts limit as their kind does. Else they would be no measure. */
class NaiveLuaTest {

  private static final Duration YEAR = Duration.ofDays(366);
  private static final long HOUR_MICROS = TimeUnit.HOURS.toMicros(1);

  @SuppressWarnings("NullAway.Init") // started before each test
  private RedisUnderTest redis;

  @SuppressWarnings("NullAway.Init") // connected before each test
  private Jedis client;

  @BeforeEach
  void start() throws Exception {
    redis = RedisUnderTest.at(Optional.empty());
    client = RedisUnderTest.connected(redis.uri());
  }

  @AfterEach
  void stop() {
    client.close();
    redis.close();
  }

  private NaiveLua naive(String limit) {
    return new NaiveLua(redis.uri(), 1, 0, Limit.parse(limit));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "3 per day, burst 3",
        "7 per 366 days, burst 3",
        "3 per day window",
        "3 per month window UTC",
        "3 per 366 days sliding"
      })
  void three_are_allowed_and_the_fourth_is_not(String limit) {
    try (NaiveLua naive = naive(limit)) {
      List<Answer> answers = Stream.generate(() -> naive.answer("alice")).limit(4).toList();

      assertThat(answers).extracting(Answer::allowed).containsExactly(true, true, true, false);
      assertThat(answers).extracting(Answer::remaining).containsExactly(2L, 1L, 0L, 0L);
      assertThat(answers).allMatch(answer -> answer.resetMicros() > HOUR_MICROS);
      assertThat(naive.answer("bob").allowed()).isTrue();
    }
  }

  @Test
  void a_leaky_bucket_lets_one_in_while_it_is_empty() {
    try (NaiveLua naive = naive("3 per day leaky, capacity 3")) {
      assertThat(naive.answer("alice").allowed()).isTrue();
      assertThat(naive.answer("alice").allowed()).isFalse();
      assertThat(naive.answer("bob").allowed()).isTrue();
    }
  }

  /** A quota of 1,000 was used up in the window before, and part of that is still in sight. */
  @Test
  void what_the_window_before_has_used_counts_by_its_part() {
    try (NaiveLua naive = naive("1000 per 366 days sliding")) {
      naive.answer("alice");
      byte[] key = bytes(client.keys("*").iterator().next());
      long length = TimeUnit.MICROSECONDS.convert(YEAR);
      long now = Long.parseLong(client.time().get(0)) * 1_000_000;
      client.set(
          key,
          ByteBuffer.allocate(3 * Double.BYTES)
              .putDouble((double) (now / length - 1))
              .putDouble(1_000)
              .putDouble(0)
              .array());

      double inSight = (double) (length - now % length) / length;
      assertThat(naive.answer("alice").remaining())
          .isBetween((long) (999 - 1000 * inSight) - 1, (long) (999 - 1000 * inSight) + 1);
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "1 per day, burst 1",
        "7 per 366 days, burst 1",
        "1 per day window",
        "1 per day window UTC",
        "1 per day sliding",
        "1 per day leaky, capacity 1"
      })
  void a_denial_changes_nothing_and_each_key_ends(String limit) {
    try (NaiveLua naive = naive(limit)) {
      naive.answer("alice");
      String key = client.keys("*").iterator().next();
      byte[] granted = client.get(bytes(key));

      assertThat(naive.answer("alice").allowed()).isFalse();
      assertThat(client.get(bytes(key))).isEqualTo(granted);
      assertThat(client.pttl(key)).isPositive();
    }
  }

  /** Permits return to the one number that is stored as they do to the two. */
  @ParameterizedTest
  @ValueSource(strings = {"20 per second, burst 2", "70 per 3 seconds, burst 2"})
  void an_exhausted_bucket_grants_again_once_its_wait_is_over(String limit) throws Exception {
    try (NaiveLua naive = naive(limit)) {
      assertThat(naive.answer("alice").remaining()).isEqualTo(1);
      assertThat(naive.answer("alice").allowed()).isTrue();
      Answer denial = naive.answer("alice");
      assertThat(denial.allowed()).isFalse();
      assertThat(denial.resetMicros()).isBetween(50_000L, 100_000L);

      TimeUnit.MICROSECONDS.sleep(denial.resetMicros());
      assertThat(naive.answer("alice")).extracting(Answer::allowed).isEqualTo(true);
      assertThat(naive.answer("alice")).extracting(Answer::allowed).isEqualTo(true);
    }
  }

  @Test
  void a_window_of_the_calendar_ends_with_its_month() {
    try (NaiveLua naive = naive("3 per month window UTC")) {
      Answer answer = naive.answer("alice");
      Instant end = Instant.now().plus(Duration.ofNanos(answer.resetMicros() * 1_000));
      LocalDate next = LocalDate.now(ZoneOffset.UTC).withDayOfMonth(1).plusMonths(1);
      assertThat(end)
          .isCloseTo(next.atStartOfDay(ZoneOffset.UTC).toInstant(), within(5, ChronoUnit.SECONDS));
    }
  }

  private static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.US_ASCII);
  }

  @Test
  void a_kind_without_a_script_is_refused() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> naive("3 concurrent"))
        .withMessageContaining("no naive script (expected: a limit per time)");
  }
}
