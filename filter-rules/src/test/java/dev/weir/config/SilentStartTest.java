package dev.weir.config;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.fixture.Documents;
import dev.weir.fixture.Documents.Block;
import dev.weir.fixture.LogCapture;
import dev.weir.http.FakeRequest;
import dev.weir.http.spi.Outcome;
import dev.weir.redis.RedisServer;
import dev.weir.redis.RedisVersion;
import dev.weir.store.Source;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import java.util.logging.Level;
import java.util.logging.LogRecord;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** What a reader copies first starts with a real Redis, and logs no warning. */
class SilentStartTest {

  private static final List<String> FIRST_PAGES =
      List.of(
          "README.md",
          "docs/start/web-xml.md",
          "docs/start/spring-boot.md",
          "docs/start/embedded.md",
          "docs/start/tomcat-valve.md",
          "docs/redis.md");

  private static final Pattern INIT_PARAM =
      Pattern.compile("<param-name>([a-z-]+)</param-name>\\s*<param-value>([^<]*)</param-value>");
  private static final Pattern URI = Pattern.compile("redis://[\\w.:]+");

  private static RedisServer redis;

  @BeforeAll
  static void start() {
    redis = RedisServer.start(RedisVersion.newest());
  }

  @AfterAll
  static void stop() {
    redis.close();
  }

  static Stream<String> files() {
    return FIRST_PAGES.stream()
        .flatMap(page -> Documents.fenced(page).stream())
        .filter(block -> block.language().equals("yaml") && block.isComplete())
        .map(Block::text)
        .filter(yaml -> !yaml.contains("-sentinel:") && !yaml.contains("-cluster:"));
  }

  @ParameterizedTest
  @MethodSource("files")
  void a_file_of_the_first_pages_starts_without_a_warning(String yaml) {
    String started = withRedis(yaml);
    assertThat(warnings(() -> Weir.of(started), started.contains(redis.uri()))).isEmpty();
  }

  @Test
  void the_init_params_of_the_readme_start_without_a_warning() {
    Map<String, String> params = new HashMap<>();
    Documents.fenced("README.md").stream()
        .filter(block -> block.language().equals("xml"))
        .limit(1)
        .flatMap(block -> INIT_PARAM.matcher(withRedis(block.text())).results())
        .forEach(param -> params.put(param.group(1), param.group(2)));
    assertThat(params).containsKeys("limit", "application", "redis", "nodes");
    WeirSource source = Weirs.initParams(Weirs.application(), params);
    assertThat(warnings(() -> Weir.open(source), true)).isEmpty();
  }

  private static String withRedis(String text) {
    return URI.matcher(text).replaceAll(redis.uri());
  }

  /** Starts, lets Redis decide about a request, and stops. */
  private static List<String> warnings(Supplier<Weir> start, boolean hasRedis) {
    try (LogCapture log = new LogCapture("dev.weir")) {
      try (Weir weir = start.get()) {
        Awaitility.await().until(() -> !hasRedis || weir.status().store() == Source.REDIS);
        Outcome unused = weir.limiter().limit(FakeRequest.get("/"));
      }
      return log.records().stream()
          .filter(record -> record.getLevel().intValue() >= Level.WARNING.intValue())
          .map(LogRecord::getMessage)
          .toList();
    }
  }
}
