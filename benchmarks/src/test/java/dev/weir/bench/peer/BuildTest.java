package dev.weir.bench.peer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.weir.TokenLimiter;
import dev.weir.config.Weir;
import dev.weir.limit.Limit;
import dev.weir.redis.RedisLimitStore;
import dev.weir.servlet.RateLimitFilter;
import dev.weir.store.Source;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.jar.JarEntry;
import java.util.jar.JarOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import redis.clients.jedis.Jedis;

class BuildTest {

  private static final List<Class<?>> CALLED =
      List.of(
          TokenLimiter.class,
          RedisLimitStore.class,
          Weir.class,
          RateLimitFilter.class,
          Source.class); // requires no other class

  @SuppressWarnings("NullAway.Init") // by JUnit
  @TempDir
  private Path directory;

  /** Writes a jar with the code of these classes. */
  private EarlierJar jar(List<Class<?>> classes) throws IOException {
    Path path = directory.resolve("earlier-all.jar");
    try (OutputStream file = Files.newOutputStream(path);
        JarOutputStream jar = new JarOutputStream(file)) {
      for (Class<?> type : classes) {
        String name = resource(type);
        jar.putNextEntry(new JarEntry(name));
        try (InputStream code = type.getClassLoader().getResourceAsStream(name)) {
          code.transferTo(jar);
        }
      }
    }
    return new EarlierJar(path);
  }

  private static String resource(Class<?> type) {
    return type.getName().replace('.', '/') + ".class";
  }

  @Test
  void each_has_classes_of_its_own_and_shares_what_the_run_calls() throws IOException {
    try (Build one = Build.current();
        Build other = Build.current()) {
      for (Class<?> type : List.of(NaiveLua.class, Ours.class, TokenLimiter.class, Jedis.class)) {
        assertThat(one.load(type.getName(), Object.class))
            .isNotSameAs(other.load(type.getName(), Object.class))
            .isNotSameAs(type)
            .isSameAs(one.load(type.getName(), Object.class));
      }
      assertThat(one.load(Contender.class.getName(), Object.class)).isSameAs(Contender.class);
      assertThat(one.load(Numbers.class.getName(), Object.class)).isSameAs(Numbers.class);
    }
  }

  @Test
  void weir_comes_from_the_jar_of_an_earlier_build_and_the_rest_from_this_run() throws IOException {
    try (Build earlier = Build.earlier(jar(CALLED))) {
      Class<?> source = earlier.load(Source.class.getName(), Object.class);
      assertThat(source.getProtectionDomain().getCodeSource().getLocation())
          .isEqualTo(directory.resolve("earlier-all.jar").toUri().toURL());
      assertThat(earlier.load(NaiveLua.class.getName(), Contender.class))
          .isNotSameAs(NaiveLua.class);
    }
  }

  /** This build has it, but that is not what is to be measured. */
  @Test
  void what_the_jar_lacks_is_not_taken_from_this_build() throws IOException {
    try (Build earlier = Build.earlier(jar(CALLED))) {
      assertThatThrownBy(() -> earlier.load(Limit.class.getName(), Object.class))
          .hasCauseInstanceOf(ClassNotFoundException.class)
          .rootCause()
          .hasMessageContaining(Limit.class.getName() + ": not in ")
          .hasMessageContaining("earlier-all.jar");
      ClassLoader loader = earlier.load(Source.class.getName(), Object.class).getClassLoader();
      assertThat(loader.getResource(resource(Limit.class))).isNull();
      assertThat(loader.getResources(resource(Limit.class)).hasMoreElements()).isFalse();
      assertThat(loader.getResource(resource(Source.class))).isNotNull();
      assertThat(loader.getResource(resource(NaiveLua.class))).isNotNull();
    }
  }

  @Test
  void a_jar_without_the_filter_is_refused_with_what_it_lacks() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> jar(CALLED.subList(0, 3)))
        .withMessageContaining("earlier-all.jar': no dev/weir/servlet/RateLimitFilter.class")
        .withMessageContaining("expected: the all-jar of an earlier build of the Servlet filter");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new EarlierJar(directory.resolve("none.jar")))
        .withMessageContaining("none.jar");
  }

  /** Else each would count the other's keys, and each other's nodes. */
  @Test
  void an_earlier_build_has_an_application_of_its_own_with_names_as_long() throws IOException {
    try (Build current = Build.current();
        Build earlier = Build.earlier(jar(CALLED))) {
      assertThat(earlier.application())
          .isNotEqualTo(current.application())
          .hasSameSizeAs(current.application());
    }
  }

  @Test
  void no_class_can_be_loaded_once_it_is_closed() throws IOException {
    Build closed = Build.current();
    closed.close();

    assertThatThrownBy(() -> closed.load(NaiveLua.class.getName(), Contender.class))
        .isInstanceOf(IllegalStateException.class);
  }
}
