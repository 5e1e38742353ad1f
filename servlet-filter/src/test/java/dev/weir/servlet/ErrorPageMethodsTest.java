package dev.weir.servlet;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.http.Answer;
import dev.weir.http.RawHttp;
import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.io.Serial;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Whatever the method and however many the rules, a denial has its status, its fields and a body.
 */
class ErrorPageMethodsTest {

  private static final List<String> METHODS =
      List.of("GET", "POST", "PUT", "DELETE", "PATCH", "PROPFIND");

  @ParameterizedTest
  @MethodSource("dev.weir.servlet.Containers#all")
  void a_denial_that_is_left_to_the_container_has_a_body_for_every_method(
      Containers.Starter starter, @TempDir Path directory) throws Exception {
    String configuration =
        """
        responses: { denied: error-page }
        rules:
          - { name: secretive, match: /limited, subject: global, limits: [1 per hour] }
        """;
    try (Container container = starter.run()) {
      container.deploy(
          WebApp.in(directory, WebApp.webXml(Any.class.getName()))
              .with("WEB-INF/weir.yaml", configuration));
      RawHttp http = new RawHttp(container.base());
      http.get("/limited");
      for (String method : METHODS) {
        Answer answer = http.send(method, "/limited");
        assertThat(answer.status()).as(method).isEqualTo(429);
        assertThat(answer.has("Retry-After")).as(method).isTrue();
        assertThat(answer.body()).as(method).contains("429").doesNotContain("secretive");
      }
      assertThat(http.send("HEAD", "/limited").body()).isEmpty();
    }
  }

  @ParameterizedTest
  @MethodSource("dev.weir.servlet.Containers#all")
  void hundreds_of_rules_for_one_request_fit_into_the_answer(
      Containers.Starter starter, @TempDir Path directory) throws Exception {
    String rules =
        IntStream.rangeClosed(1, 600)
            .mapToObj(
                i ->
                    "  - { name: rule-%d, match: /**, limits: [%d per hour] }"
                        .formatted(i, 601 - i))
            .collect(Collectors.joining("\n", "rules:\n", "\n"));
    try (Container container = starter.run()) {
      container.deploy(
          WebApp.in(directory, WebApp.webXml(Any.class.getName()))
              .with("WEB-INF/weir.yaml", rules));
      RawHttp http = new RawHttp(container.base());
      Answer passed = http.get("/x");
      assertThat(passed.status()).isEqualTo(200);
      assertThat(passed.field("RateLimit-Policy"))
          .startsWith("\"rule-600\";q=1;w=3600, ")
          .hasSizeLessThanOrEqualTo(1_024);
      Answer denied = http.get("/x");
      assertThat(denied.status()).isEqualTo(429);
      assertThat(denied.field("RateLimit-Policy")).startsWith("\"rule-600\";q=1;w=3600, ");
    }
  }

  /** Answers every method. */
  public static final class Any extends HttpServlet {

    @Serial private static final long serialVersionUID = 1L;

    @Override
    protected void service(HttpServletRequest request, HttpServletResponse response)
        throws IOException {
      response.getWriter().print("passed");
    }
  }
}
