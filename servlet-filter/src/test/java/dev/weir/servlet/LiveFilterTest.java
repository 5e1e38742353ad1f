package dev.weir.servlet;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.weir.fixture.LogCapture;
import dev.weir.http.RawHttp;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** A filter in a container takes up a file that changes, by itself and within seconds. */
class LiveFilterTest {

  private static final Duration SECONDS = Duration.ofSeconds(10);

  private static String yaml(String limit) {
    return "rules: [{ name: all, match: /**, subject: ip, limits: [%s] }]".formatted(limit);
  }

  @ParameterizedTest
  @MethodSource("dev.weir.servlet.Containers#all")
  void requests_see_the_change_and_what_was_used_is_used(
      Containers.Starter starter, @TempDir Path directory) throws Exception {
    Path file = Files.writeString(directory.resolve("live.yaml"), yaml("3 per day"));
    WebApp app =
        WebApp.in(
            Files.createDirectory(directory.resolve("app")), Map.of("config", file.toString()));
    try (Container container = starter.run();
        LogCapture leaks = new LogCapture("org.apache.catalina.loader")) {
      container.deploy(app);
      RawHttp http = new RawHttp(container.base());
      for (int status : new int[] {200, 200, 200, 429}) {
        assertThat(http.get("/a").status()).isEqualTo(status);
      }
      Files.writeString(file, yaml("5 per day"));
      await().atMost(SECONDS).until(() -> http.get("/a").isPassed());
      assertThat(http.get("/a").isPassed()).isTrue();
      assertThat(http.get("/a").status()).as("five were used of five").isEqualTo(429);
      Files.writeString(file, "rules: none");
      Files.writeString(file, yaml("6 per day"));
      await().atMost(SECONDS).until(() -> http.get("/a").isPassed());
      assertThat(watching()).isTrue();
      container.undeploy();
      await().atMost(SECONDS).until(() -> !watching());
      assertThat(leaks.text()).doesNotContain("failed to stop");
    }
  }

  private static boolean watching() {
    return Thread.getAllStackTraces().keySet().stream()
        .anyMatch(thread -> thread.getName().equals("weir-config-shop"));
  }
}
