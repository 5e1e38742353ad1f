package dev.weir.jaxrs;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.config.Weir;
import dev.weir.http.Answer;
import dev.weir.http.RawHttp;
import jakarta.ws.rs.container.ContainerRequestContext;
import jakarta.ws.rs.container.ContainerResponseContext;
import jakarta.ws.rs.container.ContainerResponseFilter;
import java.util.List;
import java.util.Locale;
import org.junit.jupiter.api.Test;

/** How a decision becomes a response, whatever else writes to it. */
class RenderingTest {

  private static final String ONE_PER_HOUR =
      "rules: [{ name: limited, match: /limited, subject: global, limits: [1 per hour] }]";

  @Test
  void the_fields_are_exposed_where_another_filter_speaks_CORS() throws Exception {
    try (Weir weir = Weir.of(ONE_PER_HOUR);
        Server server =
            JdkHttp.start(
                ScenarioApplication.with(new RateLimitFeature(weir)).register(Cors.class))) {
      RawHttp http = new RawHttp(server.base());
      assertThat(http.get("/limited").field("Access-Control-Expose-Headers"))
          .contains("X-Other")
          .contains("RateLimit-Policy");
      assertThat(http.get("/limited").field("Access-Control-Expose-Headers"))
          .contains("X-Other")
          .contains("Retry-After");
      assertThat(http.get("/free").field("Access-Control-Expose-Headers")).isEqualTo("X-Other");
    }
  }

  @Test
  void an_error_page_is_the_servers_own() throws Exception {
    try (Weir weir = Weir.of(ONE_PER_HOUR + "\nresponses: { denied: error-page }\n");
        Server server =
            JerseyServlet.at("/*", ScenarioApplication.with(new RateLimitFeature(weir))).start()) {
      RawHttp http = new RawHttp(server.base());
      http.get("/limited");
      Answer answer = http.get("/limited");
      assertThat(answer.status()).isEqualTo(429);
      assertThat(answer.has("Retry-After")).isTrue();
      assertThat(answer.has("RateLimit")).isTrue();
      assertThat(answer.field("Content-Type")).startsWith("text/html");
    }
  }

  @Test
  void the_servers_page_has_a_body_for_every_method() throws Exception {
    try (Weir weir = Weir.of(ONE_PER_HOUR + "\nresponses: { denied: error-page }\n");
        Server server =
            JerseyServlet.at("/*", ScenarioApplication.with(new RateLimitFeature(weir))).start()) {
      RawHttp http = new RawHttp(server.base());
      http.get("/limited");
      for (String method : List.of("GET", "POST", "PUT", "DELETE", "PATCH")) {
        Answer answer = http.send(method, "/limited");
        assertThat(answer.status()).as(method).isEqualTo(429);
        assertThat(answer.body()).as(method).contains("429");
      }
    }
  }

  @Test
  void the_filters_of_the_application_see_the_fields_and_each_is_sent_once() throws Exception {
    Seen seen = new Seen();
    try (Weir weir = Weir.of(ONE_PER_HOUR);
        Server server =
            JdkHttp.start(ScenarioApplication.with(new RateLimitFeature(weir)).register(seen))) {
      RawHttp http = new RawHttp(server.base());
      http.get("/limited");
      Answer answer = http.get("/limited");
      assertThat(answer.status()).isEqualTo(429);
      assertThat(seen.retryAfter).isEqualTo(answer.field("Retry-After")).isNotEmpty();
      for (String field :
          List.of("Retry-After", "RateLimit", "RateLimit-Policy", "Cache-Control")) {
        assertThat(answer.fields().get(field.toLowerCase(Locale.ROOT))).as(field).hasSize(1);
      }
    }
  }

  /** Writes the body of a denial by itself, as an application may that has its own format. */
  private static final class Seen implements ContainerResponseFilter {

    private volatile String retryAfter = "";

    @Override
    public void filter(ContainerRequestContext request, ContainerResponseContext response) {
      if (response.getStatus() == 429) {
        retryAfter = String.valueOf(response.getHeaderString("Retry-After"));
      }
    }
  }

  @Test
  void who_cannot_decide_says_when_to_come_back() throws Exception {
    Weir weir = Weir.of(ONE_PER_HOUR);
    try (Server server = JdkHttp.start(ScenarioApplication.with(new RateLimitFeature(weir)))) {
      weir.close();
      Answer answer = new RawHttp(server.base()).get("/free");
      assertThat(answer.status()).isEqualTo(503);
      assertThat(answer.retryAfterSeconds()).hasValue(1);
      assertThat(answer.field("Cache-Control")).isEqualTo("no-store");
    }
  }

  /** As many applications have one, without any priority. */
  public static final class Cors implements ContainerResponseFilter {

    @Override
    public void filter(ContainerRequestContext request, ContainerResponseContext response) {
      response.getHeaders().add("Access-Control-Allow-Origin", "https://shop.example");
      response.getHeaders().add("Access-Control-Expose-Headers", "X-Other");
    }
  }
}
