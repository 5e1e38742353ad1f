package dev.weir.containers;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.weir.fixture.Documents;
import dev.weir.fixture.FreePorts;
import dev.weir.fixture.Jdk;
import dev.weir.redis.RedisServer;
import dev.weir.redis.RedisVersion;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The JMX exporter beside Tomcat has the metrics of a WAR that brings one jar and no class. */
class JmxAgentIT {

  private static final Tomcat TOMCAT =
      (Tomcat)
          Containers.all()
              .filter(it -> it.name().startsWith("Tomcat 10"))
              .findFirst()
              .orElseThrow();

  private static final String RULES =
      """
      application: shop
      nodes: 1
      redis: { uri: "%s", deadline: 5s }
      rules: [{ name: login, match: /login, subject: ip, limits: [1 per hour] }]
      """;

  private final HttpClient client = HttpClient.newHttpClient();

  /** Tomcat with an agent of its JVM. */
  private record WithAgent(String agent) implements Container {

    @Override
    public String name() {
      return TOMCAT.name();
    }

    @Override
    public Edition edition() {
      return TOMCAT.edition();
    }

    @Override
    public List<String> prepare(Path war, Path place, int port, Jdk jdk) throws IOException {
      List<String> command = new ArrayList<>(TOMCAT.prepare(war, place, port, jdk));
      command.add(1, "-javaagent:" + agent);
      return command;
    }
  }

  @Test
  void the_agent_has_the_metrics_and_sees_an_outage(@TempDir Path directory) throws Exception {
    int port = FreePorts.next();
    Path agent = Artifacts.file(System.getProperty("weir.jmx-exporter"));
    Path rules = Documents.root().resolve("docs/jmx-exporter.yml");
    try (RedisServer redis = RedisServer.start(RedisVersion.newest())) {
      Path configuration =
          Files.writeString(directory.resolve("weir.yaml"), RULES.formatted(redis.uri()));
      War war = ScenarioWar.of(TOMCAT.edition(), configuration);
      try (RunningContainer running =
          RunningContainer.start(
                  new WithAgent("%s=%d:%s".formatted(agent, port, rules)),
                  Jdk.running(),
                  war,
                  directory)
              .untilItAnswers("/free/anything")) {
        assertThat(running.status("/login")).isEqualTo(200);
        assertThat(running.status("/login")).isEqualTo(429);
        String before = metrics(port);
        assertThat(before)
            .containsPattern("weir_requests_total\\{.*outcome=\"denied\".*} 1\\.0")
            .containsPattern("weir_denials_total\\{.*limit=\"login\".*} 1\\.0")
            .containsPattern("weir_redis_primaries_out\\{.*} 0\\.0")
            .containsPattern("weir_version");
        assertThat(before.lines().filter(it -> it.matches("weir_store_switches_total.* 0\\.0")))
            .hasSize(2);
        redis.freeze();
        await()
            .atMost(Duration.ofSeconds(30))
            .until(() -> metrics(port).matches("(?s).*weir_redis_primaries_out\\{[^}]*} 1\\.0.*"));
        redis.thaw();
      }
    }
  }

  private String metrics(int port) {
    try {
      URI metrics = URI.create("http://127.0.0.1:" + port + "/metrics");
      return client.send(HttpRequest.newBuilder(metrics).build(), BodyHandlers.ofString()).body();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException(e);
    }
  }
}
