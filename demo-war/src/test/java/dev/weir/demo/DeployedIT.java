package dev.weir.demo;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.fixture.Full;
import dev.weir.http.Answer;
import dev.weir.http.HttpScenarios;
import dev.weir.http.RawHttp;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The same file, deployed unchanged in containers. */
@Full
class DeployedIT {

  @ParameterizedTest
  @ValueSource(classes = {TomcatMain.class, JettyMain.class})
  void it_limits_by_itself(Class<?> container, @TempDir Path directory) throws IOException {
    try (DeployedWar demo = DeployedWar.in(container, directory)) {
      RawHttp http = new RawHttp(demo.base());
      for (int i = 0; i < 5; i++) {
        assertThat(http.post("/login").status()).isEqualTo(200);
      }
      Answer denied = http.post("/login");
      assertThat(denied.status()).isEqualTo(429);
      assertThat(denied.field("RateLimit")).startsWith("\"login\";r=0;t=");
      assertThat(http.get("/rest/reports/1").field("RateLimit")).contains(";r=19;t=");
      assertThat(http.get("/static/hello.txt").has("RateLimit")).isFalse();
      assertThat(http.get("/").status()).isEqualTo(200);
      assertThat(NodeStatus.of(http).store()).isEqualTo("LOCAL");
      assertThat(NodeStatus.of(http).count("login", "DENIED", "LOCAL")).isEqualTo(1);
    }
  }

  @ParameterizedTest
  @ValueSource(classes = {TomcatMain.class, JettyMain.class})
  void there_is_nothing_of_the_launcher_in_it(Class<?> container, @TempDir Path directory)
      throws IOException {
    try (DeployedWar demo = DeployedWar.in(container, directory)) {
      RawHttp http = new RawHttp(demo.base());
      assertThat(http.get("/demo/redis").status()).isEqualTo(404);
      assertThat(http.get("/status", "Host: shop.example").status()).isEqualTo(200);
      assertThat(http.post("/demo/redis/kill", DemoProcess.CONTROL).status())
          .isGreaterThanOrEqualTo(400);
      assertThat(http.get("/dev/weir/demo/launch/Main.class").status()).isEqualTo(403);
      assertThat(http.get("/static/hello.txt", "Origin: http://127.0.0.1:1").fields())
          .doesNotContainKey("access-control-allow-origin");
    }
  }

  @TestFactory
  Stream<DynamicTest> scenarios_in_tomcat(@TempDir Path directory) throws IOException {
    return scenarios(TomcatMain.class, directory);
  }

  @TestFactory
  Stream<DynamicTest> scenarios_in_jetty(@TempDir Path directory) throws IOException {
    return scenarios(JettyMain.class, directory);
  }

  /** The table of all adapters; after its last row the container is taken down. */
  private static Stream<DynamicTest> scenarios(Class<?> container, Path directory)
      throws IOException {
    Path config = directory.resolve("scenarios.yaml");
    Files.writeString(config, HttpScenarios.all().configuration());
    DeployedWar demo = DeployedWar.in(container, directory, "weir.config=" + config);
    return HttpScenarios.all()
        .except("dispatch:", "the demo dispatches nothing")
        .except("count:", "the demo does not answer as it is told")
        .except("denial: what is degraded", "the demo does not ask whether it is")
        .at(demo.base())
        .onClose(demo::close);
  }
}
