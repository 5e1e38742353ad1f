package dev.weir.internal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.weir.fixture.IsolatedClasses;
import dev.weir.internal.Libraries.Library;
import dev.weir.redis.RedisLimitStore;
import dev.weir.redis.RedisOptions;
import dev.weir.store.LimiterListener;
import java.lang.reflect.InvocationTargetException;
import java.util.Optional;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.FieldSource;

/** A library that is missing, or is there in another version, stops the start and says so. */
class LibrariesTest {

  @ParameterizedTest
  @FieldSource("dev.weir.internal.Libraries#OF_CORE")
  void the_expected_version_is_that_of_the_build(Library library) {
    assertThat(library.found()).isEqualTo(Optional.of(library.built()));
  }

  /** Jedis 5, which Spring Boot manages, has neither of these classes. */
  @ParameterizedTest
  @CsvSource({"redis.clients.jedis.PushConsumerChain", "redis.clients.jedis.Protocol$Command"})
  void a_store_is_not_connected_by_another_jedis(String missing) throws Exception {
    Class<?> store = new IsolatedClasses(missing).loadClass(RedisLimitStore.class.getName());
    ClassLoader loader = store.getClassLoader();
    Class<?> options = loader.loadClass(RedisOptions.class.getName());
    Class<?> listener = loader.loadClass(LimiterListener.class.getName());
    Object shop =
        options
            .getMethod("of", String.class, String.class)
            .invoke(null, "redis://127.0.0.1:1", "shop");
    Object none = listener.getField("NONE").get(null);
    assertStopped(
        () -> store.getMethod("connect", options, listener).invoke(null, shop, none),
        "Jedis",
        missing);
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
