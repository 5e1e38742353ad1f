package dev.weir.micrometer;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.weir.fixture.Documents;
import dev.weir.fixture.FreePorts;
import dev.weir.fixture.Jvm;
import dev.weir.micrometer.Scrape.Family;
import dev.weir.redis.RedisServer;
import dev.weir.redis.RedisVersion;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.io.Writer;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The agent of Prometheus, by the file in docs, makes the metrics of Micrometer of the MBeans. So
 * one dashboard and one file of alerts are for both.
 */
class JmxExporterTest {

  /** It sees all applications of a JVM. */
  private static final Set<String> ADDED_LABELS = Set.of("application", "config");

  /** A decision would have to read the clock for them, scraped or not. */
  private static final Set<String> NOT_IN_JMX =
      Set.of("weir_decision_duration_seconds", "weir_decision_duration_seconds_max");

  /** The agent cannot write a name that ends in {@code _info}. */
  private static final Map<String, String> RENAMED = Map.of("weir_info", "weir_version");

  private final RedisServer redis = RedisServer.start(RedisVersion.newest());
  private final int port = FreePorts.next();
  private final HttpClient http = HttpClient.newHttpClient();

  @SuppressWarnings("NullAway.Init") // by JUnit
  @TempDir
  private Path directory;

  @SuppressWarnings("NullAway.Init") // before each test
  private Process node;

  @SuppressWarnings("NullAway.Init")
  private BufferedReader replies;

  @BeforeEach
  void start() throws IOException {
    Path file = directory.resolve("weir.yaml");
    Files.writeString(file, MeteredWeir.YAML.formatted(redis.uri()));
    String agent =
        "-javaagent:%s=%d:%s"
            .formatted(
                Path.of("target/agent/jmx-exporter.jar").toAbsolutePath(),
                port,
                Documents.root().resolve("docs/jmx-exporter.yml"));
    node = Jvm.startWith(List.of(agent), ExportedNode.class, List.of(file.toString()));
    replies = node.inputReader(UTF_8);
    await() // a JVM with an agent, on a machine that runs other tests too
        .atMost(Duration.ofMinutes(1))
        .until(() -> !Double.isNaN(byMicrometer(1).value("weir_clock_skew_seconds")));
  }

  @AfterEach
  void stop() throws IOException {
    node.destroyForcibly();
    replies.close();
    redis.close();
  }

  @Test
  void both_make_the_same_metrics_and_see_the_same_outage() throws Exception {
    Scrape byMicrometer = byMicrometer(6);
    Scrape byJmx = byJmx();
    assertThat(byJmx.families()).isEqualTo(expected(byMicrometer.families()));
    for (Scrape scrape : List.of(byMicrometer, byJmx)) {
      assertThat(scrape.value("weir_redis_primaries_out")).isZero();
      assertThat(scrape.value("weir_store_switches_total", "store", "local")).isZero();
      assertThat(scrape.value("weir_store_switches_total", "store", "redis")).isZero();
    }
    redis.freeze();
    await()
        .atMost(Duration.ofSeconds(20))
        .until(() -> byMicrometer(1).value("weir_store_switches_total", "store", "local") == 1);
    assertThat(byMicrometer(0).value("weir_redis_primaries_out")).isEqualTo(1);
    assertThat(byJmx().value("weir_redis_primaries_out")).isEqualTo(1);
    assertThat(byJmx().value("weir_store_switches_total", "store", "local")).isEqualTo(1);
    assertThat(byJmx().value("weir_store_switched_time_seconds"))
        .isGreaterThan(byJmx().value("weir_config_loaded_time_seconds"));
    redis.thaw();
  }

  @Test
  void what_it_makes_passes_the_checks_of_Prometheus() throws Exception {
    Promtool promtool = Promtool.orSkip();
    assertThat(promtool.run(jmx(), "check", "metrics")).isEmpty();
  }

  private static Map<String, Family> expected(Map<String, Family> ofMicrometer) {
    Map<String, Family> expected = new TreeMap<>();
    ofMicrometer.forEach(
        (name, family) -> {
          Set<String> labels = new TreeSet<>(family.labels());
          labels.addAll(ADDED_LABELS);
          if (!NOT_IN_JMX.contains(name)) {
            expected.put(
                RENAMED.getOrDefault(name, name), new Family(family.type(), family.help(), labels));
          }
        });
    return expected;
  }

  /** Returns what Micrometer scrapes after so many further requests. */
  private Scrape byMicrometer(int requests) throws IOException {
    Writer numbers = node.outputWriter(UTF_8);
    numbers.write(requests + "\n");
    numbers.flush();
    StringBuilder scrape = new StringBuilder();
    for (String line = replies.readLine();
        !ExportedNode.END.equals(line);
        line = replies.readLine()) {
      if (line == null) {
        throw new IOException("the node has ended");
      }
      scrape.append(line).append('\n');
    }
    return Scrape.of(scrape.toString());
  }

  private Scrape byJmx() {
    return Scrape.of(jmx());
  }

  private String jmx() {
    HttpRequest request =
        HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + "/metrics")).build();
    try {
      return http.send(request, BodyHandlers.ofString()).body();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }
}
