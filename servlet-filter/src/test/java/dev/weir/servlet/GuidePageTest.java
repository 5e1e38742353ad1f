package dev.weir.servlet;

import dev.weir.http.GuidePage;
import dev.weir.http.spi.RequestLimiter;
import dev.weir.redis.RedisVersion;
import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpFilter;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletRequestWrapper;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.io.Serial;
import java.nio.file.Path;
import java.security.Principal;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.io.TempDir;

/** The example that uses everything, in the filter. */
class GuidePageTest {

  private @Nullable GuidePage page;
  private @Nullable JettyServlets jetty;

  @TestFactory
  Stream<DynamicTest> the_example_holds(@TempDir Path directory) throws Exception {
    GuidePage guide = new GuidePage(RedisVersion.newest(), directory);
    page = guide;
    jetty =
        new JettyServlets()
            .filter(new Login())
            .filter(new RateLimitFilter(guide.open()))
            .servlet("/*", (request, response) -> answer(guide, request, response))
            .start();
    return guide.testsOf(jetty.base());
  }

  @AfterEach
  void close() {
    if (jetty != null) {
      jetty.close();
    }
    if (page != null) {
      page.close();
    }
  }

  private static void answer(
      GuidePage page, HttpServletRequest request, HttpServletResponse response) throws IOException {
    String path = String.valueOf(request.getPathInfo());
    page.work(path);
    response.setStatus(GuidePage.statusOf(path));
    Object degradedBy = request.getAttribute(RequestLimiter.DEGRADED);
    response.getWriter().print(GuidePage.bodyOf(path));
    if (degradedBy != null) {
      response.getWriter().print(", degraded by " + degradedBy + ", at " + path);
    }
  }

  /** Trusts any name that a request states, and takes it for the role. */
  private static final class Login extends HttpFilter {

    @Serial private static final long serialVersionUID = 1L;

    @Override
    protected void doFilter(
        HttpServletRequest request, HttpServletResponse response, FilterChain chain)
        throws IOException, ServletException {
      String user = request.getHeader("X-User");
      chain.doFilter(user == null ? request : new LoggedIn(request, user), response);
    }
  }

  private static final class LoggedIn extends HttpServletRequestWrapper {

    private final String user;

    LoggedIn(HttpServletRequest request, String user) {
      super(request);
      this.user = user;
    }

    @Override
    public Principal getUserPrincipal() {
      return () -> user;
    }

    @Override
    public boolean isUserInRole(String role) {
      return role.equals(user);
    }
  }
}
