package dev.weir.micrometer;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.awaitility.Awaitility.await;

import com.sun.net.httpserver.HttpServer;
import dev.weir.fixture.FreePorts;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.OptionalDouble;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * A real Prometheus sees the first outage of a node as an increase, since the counter was at zero.
 */
class FirstOutageTest {

  private static final String CONFIGURATION =
      """
      global: { scrape_interval: 1s }
      scrape_configs:
        - job_name: shop
          static_configs: [{ targets: ["127.0.0.1:%d"] }]
      """;

  private static final Pattern VALUE = Pattern.compile("\"value\":\\[[0-9.]+,\"([0-9.]+)\"]");
  private static final Duration PATIENCE = Duration.ofSeconds(40);

  private final HttpClient client = HttpClient.newHttpClient();
  private final int port = FreePorts.next();

  @Test
  void the_first_outage_is_an_increase(@TempDir Path directory) throws Exception {
    Path program = Promtool.installedOrSkip("prometheus");
    try (MeteredWeir weir = new MeteredWeir()) {
      HttpServer node = serving(weir);
      Process prometheus = started(program, node.getAddress().getPort(), directory);
      try {
        String switches = "weir_store_switches_total{store=\"local\"}";
        until("count_over_time(" + switches + "[1m]) >= 2");
        until(switches + " == 0");
        weir.redis.freeze();
        until("weir_redis_primaries_out == 1");
        weir.redis.thaw();
        until("increase(" + switches + "[1m]) >= 0.9");
        until("increase(weir_store_switches_total{store=\"redis\"}[1m]) >= 0.9");
      } finally {
        prometheus.destroyForcibly().waitFor();
        node.stop(0);
      }
    }
  }

  private static HttpServer serving(MeteredWeir weir) throws IOException {
    HttpServer node =
        HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    node.createContext(
        "/metrics",
        exchange -> {
          byte[] scrape = weir.scraped().getBytes(UTF_8);
          exchange.getResponseHeaders().set("Content-Type", "text/plain; version=0.0.4");
          exchange.sendResponseHeaders(200, scrape.length);
          exchange.getResponseBody().write(scrape);
          exchange.close();
        });
    node.start();
    return node;
  }

  private Process started(Path program, int target, Path directory) throws IOException {
    Path file =
        Files.writeString(directory.resolve("prometheus.yml"), CONFIGURATION.formatted(target));
    return new ProcessBuilder(
            program.toString(),
            "--config.file=" + file,
            "--storage.tsdb.path=" + directory.resolve("data"),
            "--web.listen-address=127.0.0.1:" + port)
        .redirectErrorStream(true)
        .redirectOutput(directory.resolve("log").toFile())
        .start();
  }

  private void until(String expression) {
    await(expression).atMost(PATIENCE).until(() -> value(expression).isPresent());
  }

  /** Returns the value of the only series. Empty while there is none, and before it answers. */
  private OptionalDouble value(String expression) {
    URI query =
        URI.create(
            "http://127.0.0.1:%d/api/v1/query?query=%s"
                .formatted(port, URLEncoder.encode(expression, UTF_8)));
    try {
      Matcher value =
          VALUE.matcher(
              client.send(HttpRequest.newBuilder(query).build(), BodyHandlers.ofString()).body());
      return value.find()
          ? OptionalDouble.of(Double.parseDouble(value.group(1)))
          : OptionalDouble.empty();
    } catch (IOException starting) {
      return OptionalDouble.empty();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException(e);
    }
  }
}
