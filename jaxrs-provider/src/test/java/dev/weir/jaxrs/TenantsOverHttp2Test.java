package dev.weir.jaxrs;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.config.Weir;
import dev.weir.http.Http2Upgrade;
import dev.weir.http.RawHttp;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpClient.Version;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** HTTP/2 has no field for the host, but a tenant is the same over all protocols. */
class TenantsOverHttp2Test {

  private final HttpClient client = HttpClient.newHttpClient();

  @ParameterizedTest
  @ValueSource(strings = {"host", "header:Host"})
  void a_tenant_is_the_same_over_both_protocols(String subject) throws Exception {
    try (Weir weir =
            Weir.of(
                "rules: [{ name: tenant, match: /x, subject: '%s', limits: [2 per hour] }]"
                    .formatted(subject));
        Server server =
            JerseyTomcat.at("/*", ScenarioApplication.with(new RateLimitFeature(weir))).start()) {
      URI here = server.base();
      URI there = URI.create(here.toString().replace("127.0.0.1", "localhost"));
      Http2Upgrade.of(client, URI.create(here + "/free"));
      Http2Upgrade.of(client, URI.create(there + "/free"));
      assertThat(overHttp2(here)).isEqualTo(200);
      assertThat(new RawHttp(here).get("/x").status()).isEqualTo(200);
      assertThat(overHttp2(here)).isEqualTo(429);
      assertThat(new RawHttp(here).get("/x").status()).isEqualTo(429);
      assertThat(overHttp2(there)).isEqualTo(200);
    }
  }

  private int overHttp2(URI base) throws IOException, InterruptedException {
    HttpResponse<Void> response = send(base, "/x");
    assertThat(response.version()).isEqualTo(Version.HTTP_2);
    return response.statusCode();
  }

  private HttpResponse<Void> send(URI base, String path) throws IOException, InterruptedException {
    HttpRequest request = HttpRequest.newBuilder(URI.create(base + path)).build();
    return client.send(request, BodyHandlers.discarding());
  }
}
