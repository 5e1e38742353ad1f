package dev.weir.servlet;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.config.Weir;
import dev.weir.http.RawHttp;
import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpFilter;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletRequestWrapper;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.io.Serial;
import org.junit.jupiter.api.Test;

/**
 * By the specification, a request that has been dispatched on no longer counts as started
 * asynchronously, though its response is yet to come. Jetty and Tomcat report this only after the
 * chain has returned. Others, such as Undertow, report it at once.
 */
class DispatchedOnTest {

  private static final String CONFIGURATION =
      """
      rules:
        - { name: login, match: /login, subject: global, limits: [1 per day], count: [401] }
      """;

  @Test
  void a_request_that_only_looks_like_one_that_is_over_is_charged_by_its_own_status()
      throws Exception {
    try (Weir weir = Weir.of(CONFIGURATION);
        JettyServlets jetty =
            new JettyServlets()
                .filter(new AtOnce())
                .filter(new RateLimitFilter(weir))
                .servlet("/login", DispatchedOnTest::answer)
                .start()) {
      RawHttp http = new RawHttp(jetty.base());
      assertThat(http.get("/login").status()).isEqualTo(401);
      assertThat(http.get("/login").status()).isEqualTo(429);
    }
  }

  private static void answer(HttpServletRequest request, HttpServletResponse response) {
    if (request.getAttribute("dispatched") != null) {
      response.setStatus(401);
      return;
    }
    request.setAttribute("dispatched", true);
    request.startAsync().dispatch();
  }

  private static final class AtOnce extends HttpFilter {

    @Serial private static final long serialVersionUID = 1L;

    @Override
    protected void doFilter(
        HttpServletRequest request, HttpServletResponse response, FilterChain chain)
        throws IOException, ServletException {
      chain.doFilter(new Dispatched(request), response);
    }
  }

  private static final class Dispatched extends HttpServletRequestWrapper {

    private Dispatched(HttpServletRequest request) {
      super(request);
    }

    @Override
    public boolean isAsyncStarted() {
      return false;
    }
  }
}
