package dev.weir.containers;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.Jdk;
import dev.weir.redis.RedisServer;
import dev.weir.redis.RedisVersion;
import java.nio.file.Path;
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
