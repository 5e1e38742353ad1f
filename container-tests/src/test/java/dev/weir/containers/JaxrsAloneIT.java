package dev.weir.containers;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.fixture.Jdk;
import dev.weir.redis.RedisServer;
import dev.weir.redis.RedisVersion;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** How a JAX-RS server on its own starts and stops with Weir. */
class JaxrsAloneIT {

  private static final String LIMITED =
      """
      application: alone
      redis: "%s"
      rules:
        - { name: all, match: /**, subject: ip, limits: [1 per hour] }
      """;

  private static final String WRONG =
      """
      rules:
        - { name: all, match: /**, subject: ip, limits: [5 per fortnight] }
      """;

  @ParameterizedTest
  @MethodSource("dev.weir.containers.JaxrsAlone#all")
  void counts_in_Redis_and_leaves_nothing_when_it_stops(JaxrsAlone server, @TempDir Path directory)
      throws Exception {
    try (RedisServer redis = RedisServer.start(RedisVersion.newest());
        RunningContainer running =
            RunningContainer.start(
                    server,
                    Jdk.running(),
                    server.application(LIMITED.formatted(redis.uri())),
                    directory)
                .untilItAnswers("/anything")) {
      assertThat(running.status("/anything")).isEqualTo(429);
      assertThat(running.stop())
          .containsPattern("running: threads \\[weir[^]]*]")
          .contains(Stopping.NOTHING_LEFT);
    }
  }

  @ParameterizedTest
  @MethodSource("dev.weir.containers.JaxrsAlone#ofCxf")
  void rules_match_what_follows_the_last_slash_of_an_address_of_CXF(
      JaxrsAlone cxf, @TempDir Path directory) throws Exception {
    assertLimits("/shop/reports/{id}", cxf.at("/shop"), directory.resolve("without"));
    assertLimits("/reports/{id}", cxf.at("/shop/"), directory.resolve("with"));
  }

  private static void assertLimits(String pattern, JaxrsAlone server, Path directory)
      throws Exception {
    War application =
        server.application(
            "rules: [{ name: reports, match: \"%s\", subject: ip, limits: [1 per hour] }]"
                .formatted(pattern));
    try (RunningContainer running =
        RunningContainer.start(server, Jdk.running(), application, directory)
            .untilItAnswers("/other")) {
      assertThat(running.status("/reports/1")).as("first of %s", pattern).isEqualTo(200);
      assertThat(running.status("/reports/1")).as("second of %s", pattern).isEqualTo(429);
      assertThat(running.status("/other")).as("without a rule").isEqualTo(200);
    }
  }

  @Test
  void Quarkus_REST_is_refused_at_the_start_and_the_log_says_why(@TempDir Path directory)
      throws Exception {
    JaxrsAlone server = JaxrsAlone.QUARKUS_REST;
    String byPath = "rules: [{ name: x, match: /anything, subject: global, limits: [1 per hour] }]";
    try (RunningContainer running =
        RunningContainer.start(server, Jdk.running(), server.application(byPath), directory)
            .untilItSays("RateLimitFeature: on Quarkus REST (expected: ")) {
      assertThat(running.log()).contains("TokenLimiter").doesNotContain("started");
    }
  }

  @ParameterizedTest
  @MethodSource("dev.weir.containers.JaxrsAlone#all")
  void a_wrong_configuration_serves_no_request_and_the_log_says_why(
      JaxrsAlone server, @TempDir Path directory) throws Exception {
    try (RunningContainer running =
        RunningContainer.start(server, Jdk.running(), server.application(WRONG), directory)
            .untilItSays("weir.yaml:2:")) {
      assertThat(running.firstStatus("/anything")).isNotIn(200, 500);
    }
  }
}
