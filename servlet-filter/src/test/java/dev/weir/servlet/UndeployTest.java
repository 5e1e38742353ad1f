package dev.weir.servlet;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.weir.http.RawHttp;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** An application that is stopped leaves nothing of ours in the container. */
class UndeployTest {

  private static final List<String> OTHERS =
      List.of("qtp", "Scheduler-", "http-nio", "Catalina-utility", "awaitility");

  @ParameterizedTest
  @MethodSource("dev.weir.servlet.Containers#all")
  void deploying_five_times_leaves_no_thread(Containers.Starter starter, @TempDir Path directory)
      throws Exception {
    Map<String, String> params =
        Map.of("limit", "9 per second", "application", "shop", "redis", "redis://127.0.0.1:1");
    WebApp app = WebApp.in(directory, params);
    try (Container container = starter.run()) {
      List<String> before = threads();
      for (int i = 0; i < 5; i++) {
        container.deploy(app);
        assertThat(new RawHttp(container.base()).get("/").status()).isEqualTo(200);
        assertThat(threads()).as("who looks for Redis has threads").isNotEqualTo(before);
        container.undeploy();
        await().untilAsserted(() -> assertThat(threads()).isEqualTo(before));
      }
    }
  }

  /** All but those that serve requests and this test, of which there may be more or fewer. */
  private static List<String> threads() {
    return Thread.getAllStackTraces().keySet().stream()
        .map(Thread::getName)
        .filter(name -> OTHERS.stream().noneMatch(name::startsWith))
        .sorted()
        .toList();
  }
}
