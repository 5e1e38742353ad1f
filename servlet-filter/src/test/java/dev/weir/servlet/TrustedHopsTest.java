package dev.weir.servlet;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.fixture.LogCapture;
import dev.weir.http.Http2Upgrade;
import dev.weir.http.RawHttp;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpClient.Version;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Path;
import java.util.logging.Level;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Behind a load balancer that adds the client's address and its own, which is unknown, and beside
 * it a network of proxies with another header. 127.0.0.1 is the balancer, and 127.0.0.2 a proxy.
 */
class TrustedHopsTest {

  private static final String CONFIGURATION =
      """
      client-address:
        trusted-proxies: [127.0.0.1, { networks: [127.0.0.2], header: CF-Connecting-IP }]
        trusted-hops: 2
        header: X-Forwarded-For
        nat64: 2001:db8:64::/96
      rules:
        - { name: all, match: /**, subject: ip, limits: [1 per hour] }
      """;

  private final HttpClient client = HttpClient.newHttpClient();

  @ParameterizedTest
  @MethodSource("dev.weir.servlet.Containers#all")
  void each_client_behind_the_balancer_counts_by_itself(
      Containers.Starter starter, @TempDir Path directory) throws Exception {
    try (Container container = starter.run();
        LogCapture log = new LogCapture("dev.weir.http")) {
      URI base = deployed(container, directory);
      assertThat(forwarded(base, "203.0.113.1, 35.191.0.1")).isEqualTo(200);
      assertThat(forwarded(base, "203.0.113.1, 35.191.0.2")).isEqualTo(429);
      assertThat(forwarded(base, "9.9.9.9, 203.0.113.1, 35.191.0.1")).isEqualTo(429);
      assertThat(forwarded(base, "2001:db8:64::203.0.113.1, 35.191.0.1")).isEqualTo(429);
      assertThat(overHttp2(base, "203.0.113.1, 35.191.0.1")).isEqualTo(429);
      assertThat(overHttp2(base, "8.8.8.8, 203.0.113.2, 35.191.0.1")).isEqualTo(200);
      assertThat(overHttp2(base, "7.7.7.7, 203.0.113.2, 35.191.0.1")).isEqualTo(429);
      assertThat(forwarded(base, "203.0.113.2, 35.191.0.1")).isEqualTo(429);
      assertThat(log.records()).noneMatch(line -> line.getLevel().equals(Level.WARNING));
    }
  }

  @ParameterizedTest
  @MethodSource("dev.weir.servlet.Containers#all")
  void shorter_chains_share_the_balancers_counter_and_a_warning_says_so(
      Containers.Starter starter, @TempDir Path directory) throws Exception {
    try (Container container = starter.run();
        LogCapture log = new LogCapture("dev.weir.http")) {
      URI base = deployed(container, directory);
      assertThat(forwarded(base, "203.0.113.1")).isEqualTo(200);
      assertThat(forwarded(base, "203.0.113.2")).isEqualTo(429);
      assertThat(overHttp2(base, "203.0.113.3")).isEqualTo(429);
      assertThat(overHttp2(base, "unknown, 203.0.113.4")).isEqualTo(429);
      assertThat(log.text()).contains("fewer addresses than 'trusted-hops: 2'");
    }
  }

  @ParameterizedTest
  @MethodSource("dev.weir.servlet.Containers#all")
  void the_other_proxy_is_read_by_its_own_header(
      Containers.Starter starter, @TempDir Path directory) throws Exception {
    try (Container container = starter.run()) {
      RawHttp http = new RawHttp(deployed(container, directory));
      String chosen = "X-Forwarded-For: 9.9.9.9, 8.8.8.8";
      assertThat(from("127.0.0.2", http, chosen, "CF-Connecting-IP: 203.0.113.5")).isEqualTo(200);
      assertThat(from("127.0.0.2", http, "CF-Connecting-IP: 203.0.113.5")).isEqualTo(429);
      assertThat(from("127.0.0.2", http, "CF-Connecting-IP: 203.0.113.6")).isEqualTo(200);
      assertThat(from("127.0.0.3", http, chosen, "CF-Connecting-IP: 203.0.113.7")).isEqualTo(200);
      assertThat(from("127.0.0.3", http, "CF-Connecting-IP: 203.0.113.8")).isEqualTo(429);
      assertThat(
              from(
                  "127.0.0.1",
                  http,
                  "X-Forwarded-For: 203.0.113.6, 35.191.0.1",
                  "CF-Connecting-IP: 203.0.113.9"))
          .isEqualTo(429);
    }
  }

  private static URI deployed(Container container, Path directory) throws Exception {
    container.deploy(
        WebApp.in(directory, WebApp.webXml(QueryTest.Echo.class.getName()))
            .with("WEB-INF/weir.yaml", CONFIGURATION));
    return container.base();
  }

  private static int forwarded(URI base, String forwarded) {
    return from("127.0.0.1", new RawHttp(base), "X-Forwarded-For: " + forwarded);
  }

  private static int from(String peer, RawHttp http, String... fields) {
    return http.from(peer, "GET", "/x", fields).status();
  }

  private int overHttp2(URI base, String forwarded) throws IOException, InterruptedException {
    Http2Upgrade.of(
        client, URI.create(base + "/x"), "X-Forwarded-For", "198.51.100.99, 35.191.0.1");
    HttpResponse<Void> response = send(base, forwarded);
    assertThat(response.version()).isEqualTo(Version.HTTP_2);
    return response.statusCode();
  }

  private HttpResponse<Void> send(URI base, String forwarded)
      throws IOException, InterruptedException {
    HttpRequest request =
        HttpRequest.newBuilder(URI.create(base + "/x"))
            .header("X-Forwarded-For", forwarded)
            .build();
    return client.send(request, BodyHandlers.discarding());
  }
}
