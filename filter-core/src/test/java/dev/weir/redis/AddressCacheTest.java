package dev.weir.redis;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.fixture.LogCapture;
import dev.weir.store.LimiterListener;
import java.security.Security;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** A name whose address the JVM keeps for long is in the log at the start. */
class AddressCacheTest {

  private static final String TTL = "networkaddress.cache.ttl";

  private final @Nullable String before = Security.getProperty(TTL);

  @AfterEach
  void restore() {
    Security.setProperty(TTL, Objects.requireNonNullElse(before, ""));
  }

  @ParameterizedTest
  @CsvSource({"'', for 30 s", "6, for 6 s", "-1, until it ends"})
  void it_is_named_with_the_time_and_the_cure(String seconds, String time) {
    Security.setProperty(TTL, seconds);
    assertThat(logOf("redis://no-such-host.invalid"))
        .contains("no-such-host.invalid " + time)
        .contains("(expected: networkaddress.cache.ttl of at most 5");
    assertThat(Security.getProperty(TTL)).isEqualTo(seconds);
  }

  @ParameterizedTest
  @ValueSource(strings = {"0", "5"})
  void a_short_time_is_fine(String seconds) {
    Security.setProperty(TTL, seconds);
    assertThat(logOf("redis://no-such-host.invalid")).doesNotContain("networkaddress");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "redis://127.0.0.1:1",
        "redis://[::1]:1",
        "redis://localhost:1",
        "redis-sentinel://no-such-host.invalid/main",
        "redis-cluster://no-such-host.invalid"
      })
  void an_address_or_a_server_that_names_the_primary_is_fine(String uri) {
    Security.setProperty(TTL, "-1");
    assertThat(logOf(uri)).doesNotContain("networkaddress");
  }

  private static String logOf(String uri) {
    try (LogCapture log = new LogCapture(RedisLimitStore.class)) {
      RedisLimitStore.connect(RedisOptions.of(uri, "shop"), LimiterListener.NONE).close();
      return log.text();
    }
  }
}
