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
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The counted subject and method are those that the container reports to the application. */
class QueryTest {

  private static final String RULES =
      """
      rules:
        - { name: key, match: GET /key, subject: query:k, limits: [20 per hour] }
        - { name: delete, match: DELETE /thing, subject: global, limits: [20 per hour] }
      """;

  @ParameterizedTest
  @MethodSource("dev.weir.servlet.Containers#all")
  void the_value_that_the_application_sees_is_counted(
      Containers.Starter starter, @TempDir Path directory) throws Exception {
    try (Container container = starter.run()) {
      RawHttp http = deployed(container, directory);
      int remaining = 19;
      assertSees(http.get("/key?k=REAL"), "REAL", remaining);
      for (String query :
          List.of("%6b=REAL", "k=REA%4C&k=x", "k=%zz&k=REAL", "k=%+1&k=REAL", "k=%4&%zz&k=REAL")) {
        Answer answer = http.get("/key?" + query);
        remaining--;
        if (!answer.isMalformed()) {
          assertSees(answer, "REAL", remaining);
        }
      }
      assertSees(http.get("/key?k=REAL"), "REAL", remaining - 1);
    }
  }

  @ParameterizedTest
  @MethodSource("dev.weir.servlet.Containers#all")
  void a_method_that_the_application_sees_is_counted(
      Containers.Starter starter, @TempDir Path directory) throws Exception {
    try (Container container = starter.run()) {
      RawHttp http = deployed(container, directory);
      int remaining = 20;
      for (String query :
          List.of("_method=DELETE", "_method=%zz&_method=DELETE", "%zz=1&_method=DELETE")) {
        Answer answer = http.post("/thing?" + query);
        remaining--;
        if (!answer.isMalformed()) {
          assertSees(answer, "DELETE", remaining);
        }
      }
      assertThat(http.send("DELETE", "/thing").field("RateLimit")).contains(";r=" + --remaining);
    }
  }

  private static void assertSees(Answer answer, String seen, int remaining) {
    assertThat(answer.body()).isEqualTo(seen);
    assertThat(answer.field("RateLimit")).contains(";r=" + remaining + ";");
  }

  private static RawHttp deployed(Container container, Path directory) throws Exception {
    container.deploy(
        WebApp.in(directory, WebApp.webXml(Echo.class.getName())).with("WEB-INF/weir.yaml", RULES));
    return new RawHttp(container.base());
  }

  /** Answers with the key that it is given, and with the method that it takes a POST for. */
  public static final class Echo extends HttpServlet {

    @Serial private static final long serialVersionUID = 1L;

    @Override
    protected void service(HttpServletRequest request, HttpServletResponse response)
        throws IOException {
      String name = request.getMethod().equals("POST") ? "_method" : "k";
      response.getWriter().print(request.getParameter(name));
    }
  }
}
