package dev.weir.jaxrs;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.config.Weir;
import dev.weir.fixture.LogCapture;
import dev.weir.http.Answer;
import dev.weir.http.RawHttp;
import jakarta.ws.rs.container.ContainerRequestContext;
import jakarta.ws.rs.container.ContainerResponseContext;
import jakarta.ws.rs.container.ContainerResponseFilter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What a denied client of a JAX-RS application receives. */
class DenialResponseTest {

  private static final String BROWSER = "Accept: text/html,application/xml;q=0.9,*/*;q=0.8";
  private static final String PROGRAM = "Accept: application/json";

  @ParameterizedTest
  @ValueSource(strings = {"GET", "POST", "PUT", "DELETE", "PATCH"})
  void a_browser_receives_the_page_and_a_program_the_object(String method, @TempDir Path directory)
      throws Exception {
    Path page = Files.writeString(directory.resolve("page.html"), "<p>größer {rule}: {seconds}");
    String configuration =
        """
        responses:
          denied:
            status: 503
            headers: { X-Denied-By: "{rule}" }
            html: %s
            json: { error: too-many, seconds: "{seconds}" }
        rules: [{ name: limited, match: /limited, subject: global, limits: [1 per hour] }]
        """
            .formatted(page);
    try (Weir weir = Weir.of(configuration);
        Server server =
            JerseyServlet.at(
                    "/*",
                    ScenarioApplication.with(new RateLimitFeature(weir)).register(Varying.class))
                .start()) {
      RawHttp http = new RawHttp(server.base());
      http.get("/limited");
      Answer html = http.send(method, "/limited", BROWSER);
      assertThat(html.status()).isEqualTo(503);
      assertThat(html.body()).isEqualTo("<p>größer limited: " + html.field("Retry-After"));
      assertThat(html.field("Content-Type")).startsWith("text/html");
      Answer json = http.send(method, "/limited", PROGRAM);
      assertThat(json.status()).isEqualTo(503);
      assertThat(json.body())
          .isEqualTo(
              "{\"error\":\"too-many\",\"seconds\":%s}".formatted(json.field("Retry-After")));
      assertThat(json.field("Content-Type")).startsWith("application/json");
      for (Answer answer : List.of(html, json, http.send("HEAD", "/limited", BROWSER))) {
        assertThat(answer.fields().get("x-denied-by")).containsExactly("limited");
        assertThat(answer.field("Vary")).contains("Origin").contains("Accept");
        assertThat(answer.field("Cache-Control")).isEqualTo("no-store");
      }
      assertThat(http.send("HEAD", "/limited", BROWSER).body()).isEmpty();
    }
  }

  @Test
  void nothing_is_forwarded_and_the_log_says_so_once() throws Exception {
    String configuration =
        """
        responses: { denied: { forward: /too-many } }
        rules: [{ name: limited, match: /limited, subject: global, limits: [1 per hour] }]
        """;
    try (LogCapture log = new LogCapture(RateLimitProvider.class);
        Weir weir = Weir.of(configuration);
        Server server =
            JerseyServlet.at("/*", ScenarioApplication.with(new RateLimitFeature(weir))).start()) {
      RawHttp http = new RawHttp(server.base());
      http.get("/limited");
      for (int i = 0; i < 2; i++) {
        Answer answer = http.get("/limited", BROWSER);
        assertThat(answer.status()).isEqualTo(429);
        assertThat(answer.field("Content-Type")).startsWith("application/problem+json");
      }
      assertThat(log.records()).hasSize(1);
      assertThat(log.text())
          .contains(
              "denied: forward {0} (expected: html, or json: JAX-RS cannot forward). Its clients"
                  + " receive JSON")
          .contains("/too-many");
    }
  }

  /** Says that its answers vary, as filters for CORS do. */
  public static final class Varying implements ContainerResponseFilter {

    @Override
    public void filter(ContainerRequestContext request, ContainerResponseContext response) {
      response.getHeaders().add("Vary", "Origin");
    }
  }
}
