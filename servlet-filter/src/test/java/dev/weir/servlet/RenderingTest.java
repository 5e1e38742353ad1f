package dev.weir.servlet;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.config.Weir;
import dev.weir.http.Answer;
import dev.weir.http.RawHttp;
import jakarta.servlet.Filter;
import jakarta.servlet.http.HttpServletResponse;
import org.junit.jupiter.api.Test;

/** How a decision becomes a response, whatever else writes to it. */
class RenderingTest {

  private static final String ONE_PER_HOUR =
      "rules: [{ name: limited, match: /limited, subject: ip, limits: [1 per hour] }]";

  @Test
  void an_error_page_is_the_containers_own() throws Exception {
    String configuration = ONE_PER_HOUR + "\nresponses: { denied: error-page }\n";
    try (Weir weir = Weir.of(configuration);
        JettyServlets jetty = serving(weir)) {
      RawHttp http = new RawHttp(jetty.base());
      http.get("/limited");
      Answer answer = http.get("/limited");
      assertThat(answer.status()).isEqualTo(429);
      assertThat(answer.has("Retry-After")).isTrue();
      assertThat(answer.field("Content-Type")).startsWith("text/html");
      assertThat(answer.body()).contains("429");
    }
  }

  @Test
  void a_forward_from_a_servlet_that_holds_the_writer_is_still_denied_with_a_body()
      throws Exception {
    try (Weir weir = Weir.of(ONE_PER_HOUR);
        JettyServlets jetty =
            serving(
                weir,
                (request, response) -> {
                  response.getWriter().print("what is thrown away");
                  request.getRequestDispatcher("/limited").forward(request, response);
                })) {
      RawHttp http = new RawHttp(jetty.base());
      assertThat(http.get("/forward").body()).isEqualTo("passed");
      Answer answer = http.get("/forward");
      assertThat(answer.status()).isEqualTo(429);
      assertThat(answer.body()).startsWith("{").contains("\"status\":429").endsWith("}");
    }
  }

  @Test
  void the_fields_are_exposed_where_another_filter_speaks_CORS() throws Exception {
    Filter cors =
        (request, response, chain) -> {
          HttpServletResponse http = (HttpServletResponse) response;
          http.setHeader("Access-Control-Allow-Origin", "https://shop.example");
          http.setHeader("Access-Control-Expose-Headers", "X-Other");
          chain.doFilter(request, response);
        };
    try (Weir weir = Weir.of(ONE_PER_HOUR);
        JettyServlets jetty = new JettyServlets().filter(cors)) {
      jetty.filter(new RateLimitFilter(weir)).servlet("/", RenderingTest::pass).start();
      RawHttp http = new RawHttp(jetty.base());
      assertThat(http.get("/limited").field("Access-Control-Expose-Headers"))
          .contains("X-Other")
          .contains("RateLimit")
          .contains("RateLimit-Policy");
      assertThat(http.get("/limited").field("Access-Control-Expose-Headers"))
          .contains("Retry-After");
      assertThat(http.get("/free").field("Access-Control-Expose-Headers")).isEqualTo("X-Other");
    }
  }

  @Test
  void without_CORS_nothing_is_exposed() throws Exception {
    try (Weir weir = Weir.of(ONE_PER_HOUR);
        JettyServlets jetty = serving(weir)) {
      Answer answer = new RawHttp(jetty.base()).get("/limited");
      assertThat(answer.has("Access-Control-Expose-Headers")).isFalse();
    }
  }

  @Test
  void the_body_of_a_form_is_left_for_the_application() throws Exception {
    String byQuery =
        "rules: [{ name: q, match: /**, subject: 'query:user', limits: [9 per hour] }]";
    try (Weir weir = Weir.of(byQuery);
        JettyServlets jetty = new JettyServlets().filter(new RateLimitFilter(weir))) {
      jetty
          .servlet(
              "/",
              (request, response) -> {
                byte[] body = request.getInputStream().readAllBytes();
                response.getOutputStream().write(body);
              })
          .start();
      assertThat(new RawHttp(jetty.base()).postForm("/form", "user=a").body()).isEqualTo("user=a");
    }
  }

  private static JettyServlets serving(Weir weir) throws Exception {
    return serving(weir, RenderingTest::pass);
  }

  private static JettyServlets serving(Weir weir, JettyServlets.Service forwarding)
      throws Exception {
    return new JettyServlets()
        .filter(new RateLimitFilter(weir))
        .servlet("/forward", forwarding)
        .servlet("/", RenderingTest::pass)
        .start();
  }

  private static void pass(
      jakarta.servlet.http.HttpServletRequest request, HttpServletResponse response)
      throws java.io.IOException {
    response.getWriter().print("passed");
  }
}
