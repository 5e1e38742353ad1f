package dev.weir.servlet;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.fixture.LogCapture;
import dev.weir.http.Answer;
import dev.weir.http.RawHttp;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.logging.Level;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The filter as a deployer registers it: ten lines of {@code web.xml}. */
class WebXmlTest {

  @ParameterizedTest
  @MethodSource("dev.weir.servlet.Containers#all")
  void init_params_alone_make_a_rule(Containers.Starter starter, @TempDir Path directory)
      throws Exception {
    try (Container container = starter.run()) {
      container.deploy(WebApp.in(directory, Map.of("limit", "2 per minute", "subject", "ip")));
      RawHttp http = new RawHttp(container.base());
      assertThat(http.get("/").field("RateLimit-Policy")).isEqualTo("\"weir\";q=2;w=60");
      assertThat(http.get("/a").field("RateLimit")).startsWith("\"weir\";r=0;");
      assertThat(http.get("/b").status()).isEqualTo(429);
    }
  }

  @ParameterizedTest
  @MethodSource("dev.weir.servlet.Containers#all")
  void the_ten_lines_of_the_guide_start_while_Redis_is_down(
      Containers.Starter starter, @TempDir Path directory) throws Exception {
    Map<String, String> params = new LinkedHashMap<>();
    params.put("limit", "100 per second, burst 200");
    params.put("subject", "ip");
    params.put("trusted-proxies", "10.0.0.0/8");
    params.put("application", "shop");
    params.put("redis", "redis://127.0.0.1:1");
    try (Container container = starter.run()) {
      container.deploy(WebApp.in(directory, params));
      Answer answer = new RawHttp(container.base()).get("/");
      assertThat(answer.status()).isEqualTo(200);
      assertThat(answer.field("RateLimit-Policy")).isEqualTo("\"weir\";q=200;w=2");
    }
  }

  @ParameterizedTest
  @MethodSource("dev.weir.servlet.Containers#all")
  void a_file_below_WEB_INF_is_found(Containers.Starter starter, @TempDir Path directory)
      throws Exception {
    String file = "rules: [{ name: all, match: /**, subject: ip, limits: [1 per hour] }]";
    try (Container container = starter.run()) {
      container.deploy(WebApp.in(directory, Map.of()).with("WEB-INF/weir.yaml", file));
      RawHttp http = new RawHttp(container.base());
      assertThat(http.get("/").status()).isEqualTo(200);
      assertThat(http.get("/").status()).isEqualTo(429);
    }
  }

  @ParameterizedTest
  @MethodSource("dev.weir.servlet.Containers#all")
  void what_is_wrong_stops_the_application_and_is_all_named(
      Containers.Starter starter, @TempDir Path directory) throws Exception {
    Map<String, String> params =
        Map.of("limit", "many per second", "subjct", "ip", "trusted-proxies", "10.0.0.0/99");
    try (Container container = starter.run();
        LogCapture log = new LogCapture("dev.weir")) {
      String failure = container.failureOf(WebApp.in(directory, params));
      assertThat(failure)
          .contains("init-param 'limit': 'many per second' (expected: ")
          .contains("init-param 'subjct'")
          .contains("did you mean 'subject'?")
          .contains("10.0.0.0/99");
      assertThat(log.records())
          .filteredOn(record -> record.getLevel().equals(Level.SEVERE))
          .as("containers log it apart from everything else")
          .singleElement()
          .satisfies(
              record ->
                  assertThat(record.getMessage())
                      .startsWith("weir of /shop does not start:")
                      .contains("many per second", "subjct", "10.0.0.0/99"));
    }
  }

  @ParameterizedTest
  @MethodSource("dev.weir.servlet.Containers#all")
  void no_configuration_at_all_stops_the_application(
      Containers.Starter starter, @TempDir Path directory) throws Exception {
    try (Container container = starter.run()) {
      String failure = container.failureOf(WebApp.in(directory, Map.of()));
      assertThat(failure).contains("weir.yaml").contains("init-param");
    }
  }
}
