package dev.weir.jaxrs;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.http.Answer;
import dev.weir.http.RawHttp;
import dev.weir.servlet.RateLimitFilter;
import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpFilter;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.util.Map;
import org.glassfish.jersey.server.ResourceConfig;
import org.junit.jupiter.api.Test;

/** Filter and provider in one application share one Weir, whichever has the configuration. */
class SharingTest {

  private static final Map<String, String> PARAMS =
      Map.of("limit", "5 per hour", "subject", "ip", "name", "named");

  @Test
  void a_request_that_both_see_is_charged_once_by_each_rule() throws Exception {
    try (Server server = filtered("/rest/*")) {
      Answer answer = new RawHttp(server.base()).get("/rest/plain");
      assertThat(answer.field("RateLimit")).startsWith("\"named\";r=4;");
      assertThat(answer.fields().get("ratelimit")).hasSize(1);
    }
  }

  @Test
  void an_annotation_names_the_filters_rule_and_does_not_charge_it_again() throws Exception {
    try (Server server = filtered("/rest/*")) {
      RawHttp http = new RawHttp(server.base());
      assertThat(http.get("/rest/named").field("RateLimit")).startsWith("\"named\";r=4;");
      assertThat(http.get("/rest/plain").field("RateLimit")).startsWith("\"named\";r=3;");
    }
  }

  @Test
  void the_answer_names_the_policies_of_both() throws Exception {
    try (Server server = filtered("/rest/*")) {
      Answer answer = new RawHttp(server.base()).get("/rest/own");
      assertThat(answer.field("RateLimit-Policy"))
          .contains("\"named\";q=5;w=3600")
          .contains("\"Resource.own\";q=2;w=3600");
      assertThat(answer.fields().get("ratelimit-policy")).hasSize(1);
      assertThat(answer.field("RateLimit")).startsWith("\"Resource.own\";r=1;");
    }
  }

  @Test
  void what_the_filter_has_denied_the_provider_never_sees() throws Exception {
    try (Server server = filtered("/rest/*")) {
      RawHttp http = new RawHttp(server.base());
      for (int i = 0; i < 5; i++) {
        assertThat(http.get("/rest/plain").isPassed()).isTrue();
      }
      assertThat(http.get("/rest/own").status()).isEqualTo(429);
    }
  }

  @Test
  void the_path_that_rules_match_is_the_one_within_the_application() throws Exception {
    Map<String, String> params =
        Map.of("limit", "1 per hour", "match", "/rest/plain", "name", "named");
    try (Server server = filtered("/rest/*", params)) {
      RawHttp http = new RawHttp(server.base());
      assertThat(http.get("/rest/plain").isPassed()).isTrue();
      assertThat(http.get("/rest/plain").status()).isEqualTo(429);
    }
  }

  @Test
  void what_a_CORS_filter_of_servlets_exposes_stays_beside_the_fields_of_an_annotation()
      throws Exception {
    ResourceConfig application =
        new ResourceConfig(Resource.class).register(RateLimitFeature.class);
    Map<String, String> elsewhere =
        Map.of("limit", "5 per hour", "match", "/elsewhere", "name", "named");
    try (Server server =
        JerseyServlet.at("/rest/*", application)
            .behind(new Cors())
            .behind(RateLimitFilter.class, elsewhere)
            .start()) {
      RawHttp http = new RawHttp(server.base());
      for (int status : new int[] {200, 200, 429}) {
        Answer answer = http.get("/rest/own", "Origin: https://other.example");
        assertThat(answer.status()).isEqualTo(status);
        assertThat(String.join(", ", answer.fields().get("access-control-expose-headers")))
            .contains("X-Total")
            .contains("RateLimit-Policy, RateLimit");
        assertThat(answer.fields().get("access-control-allow-origin")).hasSize(1);
      }
    }
  }

  @Test
  void what_the_filter_has_exposed_already_is_exposed_once() throws Exception {
    ResourceConfig application =
        new ResourceConfig(Resource.class).register(RateLimitFeature.class);
    try (Server server =
        JerseyServlet.at("/rest/*", application)
            .behind(new Cors())
            .behind(RateLimitFilter.class, PARAMS)
            .start()) {
      Answer answer = new RawHttp(server.base()).get("/rest/plain");
      assertThat(answer.fields().get("access-control-expose-headers"))
          .containsExactlyInAnyOrder("X-Total", "RateLimit-Policy, RateLimit");
    }
  }

  private static Server filtered(String pattern) throws Exception {
    return filtered(pattern, PARAMS);
  }

  private static Server filtered(String pattern, Map<String, String> params) throws Exception {
    ResourceConfig application =
        new ResourceConfig(Resource.class).register(RateLimitFeature.class);
    return JerseyServlet.at(pattern, application).behind(RateLimitFilter.class, params).start();
  }

  /** Allows every origin to read one field. */
  private static final class Cors extends HttpFilter {

    private static final long serialVersionUID = 1;

    @Override
    protected void doFilter(
        HttpServletRequest request, HttpServletResponse response, FilterChain chain)
        throws IOException, ServletException {
      response.setHeader("Access-Control-Allow-Origin", "*");
      response.addHeader("Access-Control-Expose-Headers", "X-Total");
      chain.doFilter(request, response);
    }
  }
}
