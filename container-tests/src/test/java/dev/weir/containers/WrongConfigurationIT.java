package dev.weir.containers;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.fixture.Jdk;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Some containers initialise a filter with the first request. None serves with a wrong one. */
class WrongConfigurationIT {

  private static final String WRONG =
      """
      rules:
        - { name: all, match: /**, subject: ip, limits: [5 per fortnight] }
      """;

  static Stream<Container> containers() {
    return Containers.all();
  }

  /** Undertow initialises filters late, and Weir before. */
  @Test
  void a_filter_without_a_configuration_joins_none_of_another_filter(@TempDir Path directory)
      throws Exception {
    Container undertow =
        containers().filter(it -> it.name().startsWith("Undertow")).findFirst().orElseThrow();
    String filters =
        WebXml.filter(Map.of("limit", "5 per hour", "subject", "ip"))
            + WebXml.filter("other", "dev.weir.servlet.RateLimitFilter", Map.of());
    War war =
        new War()
            .with("WEB-INF/web.xml", undertow.edition().webXml(filters))
            .libraries(List.of(undertow.edition().filter()));
    try (RunningContainer running =
        RunningContainer.start(undertow, Jdk.running(), war, directory)
            .untilItSays("other: configuration: nothing")) {
      assertThat(running.firstStatus("/anything")).isNotIn(200, 404, 500);
    }
  }

  @ParameterizedTest
  @MethodSource("containers")
  void no_request_passes_and_the_log_says_why(Container container, @TempDir Path directory)
      throws Exception {
    Path configuration = Files.writeString(directory.resolve("wrong.yaml"), WRONG);
    War war = ScenarioWar.of(container.edition(), configuration);
    try (RunningContainer running =
        RunningContainer.start(container, Jdk.running(), war, directory)
            .untilItSays("wrong.yaml:2:")) {
      int status = running.firstStatus("/free/anything");
      if (container.endsWithItsListeners()) {
        assertThat(status).isNotIn(200, 500);
      } else {
        assertThat(status).isEqualTo(500);
      }
    }
  }
}
