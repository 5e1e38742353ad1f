package dev.weir.servlet;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.MultiLimiter;
import dev.weir.config.Weir;
import dev.weir.config.WeirSource;
import dev.weir.http.RawHttp;
import dev.weir.http.Rule;
import dev.weir.http.Rule.NamedLimit;
import dev.weir.store.Subject;
import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.io.Serial;
import java.nio.file.Path;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** A page that shows a client what it has left, as the guide has it. */
class QuotaPageTest {

  /** Answers {@code /quota} with what a key has left, and everything else with nothing. */
  public static final class QuotaPage extends HttpServlet {

    @Serial private static final long serialVersionUID = 1L;

    private transient @Nullable Weir joined;

    @Override
    public void init() {
      joined = Weir.join(WeirSource.of("quota"));
    }

    @Override
    protected void doGet(HttpServletRequest request, HttpServletResponse response)
        throws IOException {
      if (request.getServletPath().equals("/quota")) {
        response.getWriter().print(left(request.getHeader("X-API-Key")));
      }
    }

    private long left(String key) {
      Weir weir = Objects.requireNonNull(joined, "initialised first");
      Rule rule =
          weir.rules().stream().filter(it -> it.name().equals("api")).findFirst().orElseThrow();
      NamedLimit limit = rule.limits().get(0);
      MultiLimiter quota =
          MultiLimiter.builder().store(weir.store()).limit(limit.name(), limit.limit()).build();
      return quota.peek(Subject.of("header:x-api-key", key)).remaining().orElse(0);
    }

    @Override
    public void destroy() {
      Objects.requireNonNull(joined, "initialised first").close();
    }
  }

  @ParameterizedTest
  @MethodSource("dev.weir.servlet.Containers#all")
  void shows_what_is_left_and_takes_nothing(Containers.Starter starter, @TempDir Path directory)
      throws Exception {
    try (Container container = starter.run()) {
      container.deploy(
          WebApp.in(directory, WebApp.webXml(QuotaPage.class.getName()))
              .with(
                  "WEB-INF/weir.yaml",
                  """
                  rules:
                    - name: api
                      match: /api
                      subject: header:X-API-Key
                      limits: [5 per day window UTC]
                    - { name: all, match: /**, subject: ip, limits: [1000 per second] }
                  """));
      RawHttp http = new RawHttp(container.base());
      assertThat(http.get("/quota", "X-API-Key: K").body()).isEqualTo("5");
      assertThat(http.get("/quota", "X-API-Key: K").body()).isEqualTo("5");
      http.get("/api", "X-API-Key: K");
      http.get("/api", "X-API-Key: K");
      assertThat(http.get("/quota", "X-API-Key: K").body()).isEqualTo("3");
      assertThat(http.get("/quota", "X-API-Key: other").body()).isEqualTo("5");
    }
  }
}
