package dev.weir.config;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.fixture.LogCapture;
import dev.weir.redis.RedisServer;
import dev.weir.redis.RedisVersion;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Two configurations that share counters for the same requests are warned of. */
@SuppressWarnings("try") // each runs beside the other
class DoubleChargesTest {

  private static final String RULE = "login";

  private final RedisServer redis = RedisServer.start(RedisVersion.newest());
  private final Registry registry = new Registry(FakeVariables.EMPTY);
  private final LogCapture log = new LogCapture("dev.weir.config");
  private final Path directory;

  DoubleChargesTest(@TempDir Path directory) {
    this.directory = directory;
  }

  @AfterEach
  void close() {
    log.close();
    redis.close();
  }

  @Test
  void two_files_of_one_web_application() throws IOException {
    ClassLoader application = Weirs.application();
    try (Weir first = open("a.yaml", "shop", RULE, source(application, "/shop"));
        Weir second = open("b.yaml", "shop", RULE, source(application, "/shop"))) {
      assertThat(log.text())
          .containsOnlyOnce("is charged twice")
          .contains("a.yaml charges limits of the same names in the same Redis");
    }
  }

  @Test
  void one_of_the_container_in_front_of_one_of_the_web_application() throws IOException {
    try (Weir valve = open("a.yaml", "shop", RULE, source(Weirs.application()).inContainer());
        Weir filter = open("b.yaml", "shop", RULE, source(Weirs.application(), "/shop"))) {
      assertThat(log.text()).containsOnlyOnce("is charged twice").contains("a.yaml charges limits");
    }
  }

  @Test
  void whichever_starts_first() throws IOException {
    try (Weir filter = open("b.yaml", "shop", RULE, source(Weirs.application(), "/shop"));
        Weir valve = open("a.yaml", "shop", RULE, source(Weirs.application()).inContainer())) {
      assertThat(log.text()).containsOnlyOnce("is charged twice").contains("b.yaml charges limits");
    }
  }

  @Test
  void one_file_of_two_adapters_is_one_configuration() throws IOException {
    ClassLoader application = Weirs.application();
    try (Weir first = open("a.yaml", "shop", RULE, source(application, "/shop"));
        Weir second = open("a.yaml", "shop", RULE, source(application, "/shop"))) {
      assertThat(log.text()).doesNotContain("is charged twice");
    }
  }

  @Test
  void other_names_other_applications_and_other_requests_are_not_meant() throws IOException {
    ClassLoader shop = Weirs.application();
    try (Weir first = open("a.yaml", "shop", RULE, source(shop, "/shop"));
        Weir otherName = open("b.yaml", "shop", "search", source(shop, "/shop"));
        Weir otherRedis = open("c.yaml", "desk", RULE, source(shop, "/shop"));
        Weir otherWar = open("d.yaml", "shop", RULE, source(Weirs.application(), "/desk"))) {
      assertThat(log.text()).doesNotContain("is charged twice");
    }
  }

  /** A server that is embedded has one class loader for all its contexts. */
  @Test
  void applications_at_other_paths_and_Valves_of_one_container_see_other_requests()
      throws IOException {
    ClassLoader all = Weirs.application();
    ClassLoader valves = Weirs.application();
    try (Weir first = open("a.yaml", "shop", RULE, source(all, "/shop"));
        Weir second = open("b.yaml", "shop", RULE, source(all, "/desk"))) {
      assertThat(log.text()).doesNotContain("is charged twice");
    }
    try (Weir first = open("c.yaml", "shop", RULE, source(valves).inContainer());
        Weir second = open("d.yaml", "shop", RULE, source(valves).inContainer())) {
      assertThat(log.text()).doesNotContain("is charged twice");
    }
  }

  @Test
  void what_code_has_made_beside_a_web_application_is_not_in_its_container() throws IOException {
    try (Weir filter = open("a.yaml", "shop", RULE, source(Weirs.application(), "/shop"));
        Weir code = registry.open(directory.resolve("a.yaml"))) {
      assertThat(log.text()).doesNotContain("is charged twice");
    }
  }

  private Weir open(String name, String application, String rule, WeirSource source)
      throws IOException {
    Path file = directory.resolve(name);
    Files.writeString(
        file,
        "application: %s\nnodes: 1\nredis: { uri: '%s', deadline: 2s }\n"
                .formatted(application, redis.uri())
            + "rules: [{ name: %s, match: /**, subject: global, limits: 9 per hour }]\n"
                .formatted(rule));
    return registry.open(source.withParams(Map.of("config", file.toString())));
  }

  private static WeirSource source(ClassLoader application) {
    return new WeirSource("weir", Map.of(), WeirSource.Resources.NONE, application);
  }

  private static WeirSource source(ClassLoader application, String path) {
    return source(application).inApplication(path);
  }
}
