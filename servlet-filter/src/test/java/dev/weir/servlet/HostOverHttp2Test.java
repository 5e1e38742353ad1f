package dev.weir.servlet;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.http.ClientPolicy.KeyDigest;
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
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** HTTP/2 has no field for the host, but a tenant is the same over all protocols. */
class HostOverHttp2Test {

  private static final String RULES =
      """
      rules:
        - { name: host, match: /host, subject: host, limits: [2 per hour] }
        - { name: header, match: /header, subject: header:Host, limits: [2 per hour] }
        - { name: both, match: /both, subject: [host, ip], limits: [2 per hour] }
        - { name: banned, match: /banned, deny: { key: header:Host, sha256: %s } }
      """;

  private final HttpClient client = HttpClient.newHttpClient();

  @ParameterizedTest
  @MethodSource("dev.weir.servlet.Containers#all")
  void a_tenant_is_the_same_over_both_protocols(Containers.Starter starter, @TempDir Path directory)
      throws Exception {
    try (Container container = starter.run()) {
      URI here = container.base();
      URI there = URI.create(here.toString().replace("127.0.0.1", "localhost"));
      container.deploy(
          WebApp.in(directory, WebApp.webXml(QueryTest.Echo.class.getName()))
              .with(
                  "WEB-INF/weir.yaml", RULES.formatted(KeyDigest.of(there.getAuthority()).hex())));
      connect(here);
      connect(there);
      for (String path : new String[] {"/host", "/header", "/both"}) {
        assertThat(overHttp2(here, path)).as(path).isEqualTo(200);
        assertThat(new RawHttp(here).get(path).status()).as(path).isEqualTo(200);
        assertThat(overHttp2(here, path)).as(path).isEqualTo(429);
        assertThat(new RawHttp(here).get(path).status()).as(path).isEqualTo(429);
        assertThat(overHttp2(there, path)).as("%s of another tenant", path).isEqualTo(200);
      }
      assertThat(overHttp2(there, "/banned")).isEqualTo(403);
      assertThat(overHttp2(here, "/banned")).isEqualTo(200);
    }
  }

  /** Upgrades a connection. The request that does so is one of HTTP/1.1, with a field. */
  private void connect(URI base) throws IOException, InterruptedException {
    Http2Upgrade.of(client, URI.create(base + "/free"));
  }

  private int overHttp2(URI base, String path) throws IOException, InterruptedException {
    HttpResponse<Void> response = send(base, path);
    assertThat(response.version()).isEqualTo(Version.HTTP_2);
    return response.statusCode();
  }

  private HttpResponse<Void> send(URI base, String path) throws IOException, InterruptedException {
    HttpRequest request = HttpRequest.newBuilder(URI.create(base + path)).build();
    return client.send(request, BodyHandlers.discarding());
  }
}
