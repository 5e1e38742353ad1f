package dev.weir.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.weir.fixture.IsolatedClasses;
import dev.weir.fixture.LogCapture;
import dev.weir.internal.Libraries.Library;
import java.lang.reflect.InvocationTargetException;
import java.util.Optional;
import java.util.logging.Level;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.FieldSource;

/** A library that is missing, or is there in another version, stops the start and says so. */
class LinkedLibrariesTest {

  private static final String YAML =
      """
      application: shop
      redis: redis://127.0.0.1:1
      nodes: 1
      rules: [{ name: all, match: /**, limits: 3 per hour }]
      """;

  @ParameterizedTest
  @FieldSource("dev.weir.config.LinkedLibraries#OF_RULES")
  void the_expected_version_is_that_of_the_build(Library library) {
    assertThat(library.found()).isEqualTo(Optional.of(library.built()));
  }

  @Test
  void a_configuration_that_cannot_start_says_so_once_with_its_name() throws Exception {
    String missing = "redis.clients.jedis.PushConsumerChain";
    Class<?> weir = new IsolatedClasses(missing).loadClass(Weir.class.getName());
    try (LogCapture log = new LogCapture("dev.weir")) {
      assertStopped(() -> weir.getMethod("of", String.class).invoke(null, YAML), "Jedis", missing);
      assertThat(log.records())
          .filteredOn(record -> record.getLevel().equals(Level.SEVERE))
          .singleElement()
          .satisfies(
              record -> {
                assertThat(record.getMessage()).isEqualTo("weir does not start");
                assertThat(record.getThrown()).hasMessageContainingAll("Jedis", "(expected: ");
              });
    }
  }

  @ParameterizedTest
  @CsvSource({
    "Jedis, redis.clients.jedis.",
    "Caffeine, com.github.benmanes.caffeine.",
    "Bucket4j, io.github.bucket4j.",
    "IPAddress, inet.ipaddr.",
    "SnakeYAML Engine, org.snakeyaml.engine.",
    "concurrency-limits, com.netflix.concurrency.limits."
  })
  void nothing_starts_without_a_library(String library, String packages) throws Exception {
    Class<?> weir = new IsolatedClasses(packages).loadClass(Weir.class.getName());
    assertStopped(
        () -> weir.getMethod("of", String.class).invoke(null, YAML), library + " is missing", "");
  }

  @Test
  void all_starts_with_the_libraries_of_the_build() throws Exception {
    Class<?> weir = new IsolatedClasses("nothing").loadClass(Weir.class.getName());
    assertThatCode(
            () -> ((AutoCloseable) weir.getMethod("of", String.class).invoke(null, YAML)).close())
        .doesNotThrowAnyException();
  }

  private interface Start {
    Object begin() throws ReflectiveOperationException;
  }

  private static void assertStopped(Start start, String library, String missing) {
    assertThatThrownBy(start::begin)
        .isInstanceOf(InvocationTargetException.class)
        .cause()
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContainingAll(library, "(expected: ", "application's build")
        .cause()
        .hasMessageContaining(missing.replace('.', '/'));
  }
}
