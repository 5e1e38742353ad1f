package dev.weir.servlet;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.http.Answer;
import dev.weir.http.RawHttp;
import jakarta.servlet.Filter;
import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.ServletRequest;
import jakarta.servlet.ServletResponse;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletRequestWrapper;
import java.io.IOException;
import java.nio.file.Path;
import java.security.Principal;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The role of a user that an earlier filter has authenticated determines the tier. */
class RoleTest {

  private static final String CONFIGURATION =
      """
      tiers: { role: { roles: { customer: pro }, otherwise: free } }
      rules:
        - { name: api, match: /**, subject: global, tier: role, limits: { free: 1 per hour, pro: 3 per hour } }
      """;

  @ParameterizedTest
  @MethodSource("dev.weir.servlet.Containers#all")
  void a_role_tells_the_plan(Containers.Starter starter, @TempDir Path directory) throws Exception {
    try (Container container = starter.run()) {
      container.deploy(
          WebApp.in(directory, withLogin(WebApp.webXml(QueryTest.Echo.class.getName())))
              .with("WEB-INF/weir.yaml", CONFIGURATION));
      RawHttp http = new RawHttp(container.base());
      assertThat(http.get("/x").field("RateLimit")).startsWith("\"api.free\";r=0;");
      assertThat(http.get("/x", "X-Role: guest").status()).isEqualTo(429);
      Answer customer = http.get("/x", "X-Role: customer");
      assertThat(customer.field("RateLimit")).startsWith("\"api.pro\";r=2;");
    }
  }

  @ParameterizedTest
  @MethodSource("dev.weir.servlet.Containers#all")
  void every_authenticated_user_has_the_role_of_two_asterisks(
      Containers.Starter starter, @TempDir Path directory) throws Exception {
    try (Container container = starter.run()) {
      container.deploy(
          WebApp.in(directory, withLogin(WebApp.webXml(QueryTest.Echo.class.getName())))
              .with("WEB-INF/weir.yaml", CONFIGURATION.replace("customer", "'**'")));
      RawHttp http = new RawHttp(container.base());
      assertThat(http.get("/x", "X-User: ada").field("RateLimit")).startsWith("\"api.pro\";r=2;");
      assertThat(http.get("/x").field("RateLimit")).startsWith("\"api.free\";r=0;");
    }
  }

  private static String withLogin(String webXml) {
    String login =
        """
        <filter>
          <filter-name>login</filter-name>
          <filter-class>%s</filter-class>
        </filter>
        <filter-mapping>
          <filter-name>login</filter-name>
          <url-pattern>/*</url-pattern>
        </filter-mapping>
        """
            .formatted(Login.class.getName());
    int first = webXml.indexOf("<filter>");
    return webXml.substring(0, first) + login + webXml.substring(first);
  }

  /** Trusts any role and any user that a request states. */
  public static final class Login implements Filter {

    @Override
    public void doFilter(ServletRequest request, ServletResponse response, FilterChain chain)
        throws IOException, ServletException {
      chain.doFilter(new InRole((HttpServletRequest) request), response);
    }
  }

  private static final class InRole extends HttpServletRequestWrapper {

    InRole(HttpServletRequest request) {
      super(request);
    }

    @Override
    public boolean isUserInRole(String role) {
      return role.equals(getHeader("X-Role"));
    }

    @Override
    public @Nullable Principal getUserPrincipal() {
      String user = getHeader("X-User");
      return user == null ? null : () -> user;
    }
  }
}
