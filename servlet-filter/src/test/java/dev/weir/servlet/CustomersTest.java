package dev.weir.servlet;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.example.QuotaOf;
import dev.weir.http.Http2Upgrade;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpClient.Version;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Path;
import java.util.UUID;
import java.util.stream.Stream;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** The numbers of customers stand in a table. */
class CustomersTest {

  private static final String RULES =
      """
      limits: { quota: { token-bucket: 3 per hour, class: com.example.QuotaOf } }
      rules:
        - { name: all, match: /**, limits: [1000 per minute] }
        - { name: api, match: /**, subject: header:X-API-Key, limits: [quota] }
      """;

  static Stream<Arguments> containersAndVersions() {
    return Containers.all()
        .flatMap(it -> Stream.of(Version.HTTP_1_1, Version.HTTP_2).map(v -> Arguments.of(it, v)));
  }

  @ParameterizedTest
  @MethodSource("containersAndVersions")
  void a_customer_has_the_numbers_of_its_row(
      Containers.Starter starter, Version version, @TempDir Path directory) throws Exception {
    String customer = "customer-" + UUID.randomUUID();
    QuotaOf.TABLE.put(customer, "100 per hour");
    try (Container container = starter.run()) {
      container.deploy(
          WebApp.in(directory, WebApp.webXml(QueryTest.Echo.class.getName()))
              .with("WEB-INF/weir.yaml", RULES));
      HttpClient http = HttpClient.newBuilder().version(version).build();
      Http2Upgrade.of(http, URI.create(container.base() + "/free"));
      await()
          .untilAsserted(
              () ->
                  assertThat(send(http, container.base(), customer).headers().allValues(policy()))
                      .singleElement()
                      .asString()
                      .contains("\"quota\";q=100;w=3600"));
      for (int i = 0; i < 20; i++) {
        assertThat(send(http, container.base(), customer).statusCode()).isEqualTo(200);
      }
      for (int i = 0; i < 3; i++) {
        assertThat(send(http, container.base(), "other").statusCode()).isEqualTo(200);
      }
      HttpResponse<Void> denied = send(http, container.base(), "other");
      assertThat(denied.statusCode()).isEqualTo(429);
      assertThat(denied.version()).isEqualTo(version);
    } finally {
      QuotaOf.TABLE.remove(customer);
    }
  }

  private static String policy() {
    return "RateLimit-Policy";
  }

  private static HttpResponse<Void> send(HttpClient http, URI base, String key)
      throws IOException, InterruptedException {
    HttpRequest request =
        HttpRequest.newBuilder(URI.create(base + "/a")).header("X-API-Key", key).build();
    return http.send(request, BodyHandlers.discarding());
  }
}
