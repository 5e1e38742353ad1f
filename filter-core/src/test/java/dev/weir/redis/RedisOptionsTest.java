package dev.weir.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class RedisOptionsTest {

  @Test
  void defaults_are_a_hundred_milliseconds_and_the_clock_of_redis() {
    RedisOptions options = RedisOptions.of("redis://cache", "shop");
    assertThat(options.application()).isEqualTo("shop");
    assertThat(options.deadline()).isEqualTo(Duration.ofMillis(100));
    assertThat(options.clock()).isEqualTo(RedisOptions.Clock.REDIS);
  }

  @Test
  void secrets_are_never_printed() {
    RedisOptions options =
        RedisOptions.of("redis://user:hunter2@cache/1", "shop")
            .withSecret("pepper of 16 bytes")
            .withClock(RedisOptions.Clock.NODE)
            .withDeadline(Duration.ofMillis(50));
    assertThat(options)
        .hasToString(
            "redis://cache:6379/1, application shop, deadline 50ms, clock NODE, with secret");
  }

  @ParameterizedTest
  @ValueSource(strings = {"", " ", "a{b", "a}b", "a\nb", "a\0b", "caf\u00e9", "\ud800"})
  void an_application_is_printable_ascii_without_braces(String application) {
    assertThatThrownBy(() -> RedisOptions.of("redis://cache", application))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageStartingWith("application: ")
        .hasMessageContaining("(expected: ")
        .message()
        .doesNotContainPattern("\\p{Cntrl}");
  }

  @Test
  void an_application_has_at_most_64_characters() {
    assertThat(RedisOptions.of("redis://cache", "x".repeat(64)).application()).hasSize(64);
    assertThatThrownBy(() -> RedisOptions.of("redis://cache", "x".repeat(65)))
        .hasMessage("application: a name of 65 characters (expected: at most 64)");
  }

  @ParameterizedTest
  @ValueSource(strings = {"PT0S", "PT-1S", "PT1M0.000000001S", "PT24H", "P10000000D"})
  void a_deadline_is_positive_and_at_most_a_minute(String deadline) {
    RedisOptions options = RedisOptions.of("redis://cache", "shop");
    assertThatThrownBy(() -> options.withDeadline(Duration.parse(deadline)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageStartingWith("redis.deadline: " + Duration.parse(deadline))
        .hasMessageContaining("(expected: ");
  }

  @ParameterizedTest
  @CsvSource({"'', 0", "'                    ', 0", "0123456789abcde, 15", "éééé, 8"})
  void a_secret_has_at_least_16_bytes(String secret, int bytes) {
    RedisOptions options = RedisOptions.of("redis://cache", "shop");
    assertThat(options.withSecret("0123456789abcdef").toString()).endsWith("with secret");
    assertThat(options.withSecret("é".repeat(8)).toString()).endsWith("with secret");
    assertThatThrownBy(() -> options.withSecret(secret))
        .hasMessage(
            "redis.secret: a secret of %d bytes (expected: at least 16 bytes, as 'openssl rand -base64 32' makes)",
            bytes);
  }

  @ParameterizedTest
  @ValueSource(strings = {"redis://cache", "redis://user:hunter2@cache", "user:hunter2@cache"})
  void an_application_is_no_uri(String application) {
    assertThatThrownBy(() -> RedisOptions.of("redis://cache", application))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageStartingWith("application: ")
        .hasMessageEndingWith("(expected: a name, not a URI)")
        .message()
        .doesNotContain("hunter2");
  }

  @Test
  void an_observer_remains_one_when_it_is_given_an_id() {
    RedisOptions options = RedisOptions.of("redis://localhost", "shop");
    assertThat(options.withNode("tool").isObserver()).isFalse();
    assertThat(options.asObserver().withNode("tool").isObserver()).isTrue();
    assertThat(options.asObserver()).isNotEqualTo(options);
  }
}
