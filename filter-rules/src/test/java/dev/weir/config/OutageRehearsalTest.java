package dev.weir.config;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.fixture.IsolatedClasses;
import dev.weir.redis.RedisServer;
import dev.weir.redis.RedisVersion;
import java.util.Set;
import java.util.function.Function;
import org.junit.jupiter.api.Test;

/** The first outage of a process finds the code of the fallback loaded. The rest is Redis's own. */
class OutageRehearsalTest {

  @Test
  @SuppressWarnings("unchecked") // the node is of another class loader
  void the_first_outage_loads_no_code_of_the_fallback() throws Exception {
    IsolatedClasses classes = new IsolatedClasses("none");
    try (RedisServer server = RedisServer.start(RedisVersion.newest());
        AutoCloseable node =
            (AutoCloseable)
                classes
                    .loadClass(FirstOutageNode.class.getName())
                    .getConstructor(String.class)
                    .newInstance(server.uri())) {
      Function<String, String> decide = (Function<String, String>) node;
      assertThat(decide.apply("/a")).isEqualTo("REDIS");
      Set<String> ofTheStart = classes.takeLoaded();
      assertThat(ofTheStart).anyMatch(OutageRehearsalTest::isOfTheFallback);

      server.kill();
      assertThat(decide.apply("/a")).isEqualTo("LOCAL");
      assertThat(classes.takeLoaded()).noneMatch(OutageRehearsalTest::isOfTheFallback);
    }
  }

  private static boolean isOfTheFallback(String name) {
    return name.startsWith("dev.weir.local.") || name.startsWith("io.github.bucket4j.");
  }
}
