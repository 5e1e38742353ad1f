package dev.weir.servlet;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.http.RawHttp;
import dev.weir.servlet.HttpClients.Protocol;
import jakarta.servlet.Filter;
import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.ServletRequest;
import jakarta.servlet.ServletResponse;
import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.io.Serial;
import java.nio.file.Path;
import java.util.Base64;
import java.util.stream.Stream;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * What people have asked for in public, as rules of a file alone. The guide has each as a recipe.
 */
class RequestedRulesTest {

  /** Sets the tenant that a header claims, as a filter that has verified a token does. */
  public static final class Tenants implements Filter {

    @Override
    public void doFilter(ServletRequest request, ServletResponse response, FilterChain chain)
        throws IOException, ServletException {
      String token = ((HttpServletRequest) request).getHeader("Authorization");
      if (token != null && token.startsWith("Bearer verified-")) {
        request.setAttribute("tenant", token.substring("Bearer verified-".length()));
      }
      chain.doFilter(request, response);
    }
  }

  /** A legacy application. It answers a failed login with 302 or 200, and numbers as statuses. */
  public static final class Legacy extends HttpServlet {

    @Serial private static final long serialVersionUID = 1L;

    @Override
    protected void service(HttpServletRequest request, HttpServletResponse response)
        throws IOException {
      String path = request.getServletPath();
      boolean isRight = "right".equals(request.getParameter("password"));
      if (path.equals("/start")) {
        request.getSession().setAttribute("user", request.getParameter("user"));
      } else if (path.equals("/login")) {
        response.sendRedirect(request.getContextPath() + (isRight ? "/home" : "/login?error"));
      } else if (path.equals("/signin")) {
        request.setAttribute("login.failed", !isRight);
      } else if (path.startsWith("/status/")) {
        response.setStatus(Integer.parseInt(path.substring("/status/".length())));
      }
    }
  }

  static Stream<Arguments> containersAndProtocols() {
    return Containers.all()
        .flatMap(
            starter ->
                Stream.of(Protocol.values()).map(protocol -> Arguments.of(starter, protocol)));
  }

  @ParameterizedTest
  @MethodSource("containersAndProtocols")
  void each_order_has_its_own_limit(
      Containers.Starter starter, Protocol protocol, @TempDir Path directory) throws Exception {
    String rules =
        "{ name: verify, match: 'POST /orders/{orderId}/verify', subject: path:orderId,"
            + " limits: [2 per hour] }";
    try (Container container = started(starter, directory, rules);
        HttpClients http = protocol.client(container.base())) {
      assertThat(http.posts("/orders/7/verify", 3)).containsExactly(200, 200, 429);
      assertThat(http.posts("/orders/8/verify", 3)).containsExactly(200, 200, 429);
      assertThat(http.posts("/orders/7;x=1/verify", 1)).containsExactly(429);
      assertThat(http.posts("/orders/%37/verify", 1)).containsExactly(429);
    }
  }

  @ParameterizedTest
  @MethodSource("containersAndProtocols")
  void a_tenant_that_a_filter_has_verified_has_a_limit(
      Containers.Starter starter, Protocol protocol, @TempDir Path directory) throws Exception {
    String rules =
        "{ name: tenants, match: /api, subject: attribute:tenant, limits: [1 per hour] }";
    try (Container container = started(starter, directory, rules);
        HttpClients http = protocol.client(container.base())) {
      assertThat(http.get("/api", "Authorization", "Bearer verified-a")).isEqualTo(200);
      assertThat(http.get("/api", "Authorization", "Bearer verified-a")).isEqualTo(429);
      assertThat(http.get("/api", "Authorization", "Bearer verified-b")).isEqualTo(200);
      assertThat(http.get("/api", "Authorization", "Bearer forged-c")).isEqualTo(200);
      assertThat(http.get("/api", "Authorization", "Bearer forged-d")).isEqualTo(429);
    }
  }

  @ParameterizedTest
  @MethodSource("containersAndProtocols")
  void a_user_of_the_session_has_a_limit_in_all_sessions(
      Containers.Starter starter, Protocol protocol, @TempDir Path directory) throws Exception {
    String rules = "{ name: users, match: /api, subject: session:user, limits: [1 per hour] }";
    try (Container container = started(starter, directory, rules);
        HttpClients http = protocol.client(container.base())) {
      String ada = http.session("/start?user=ada");
      assertThat(http.get("/api", "Cookie", ada)).isEqualTo(200);
      assertThat(http.get("/api", "Cookie", ada)).isEqualTo(429);
      assertThat(http.get("/api", "Cookie", http.session("/start?user=ada"))).isEqualTo(429);
      assertThat(http.get("/api", "Cookie", http.session("/start?user=bob"))).isEqualTo(200);
      assertThat(http.get("/api", "Cookie", "JSESSIONID=forged")).isEqualTo(200);
      assertThat(http.get("/api")).isEqualTo(429);
    }
  }

  @ParameterizedTest
  @MethodSource("containersAndProtocols")
  void a_name_of_Basic_authentication_has_a_limit_for_each_address(
      Containers.Starter starter, Protocol protocol, @TempDir Path directory) throws Exception {
    String rules =
        "{ name: guesses, match: /api, subject: basic-user, limits: [2 per hour] },"
            + " { name: addresses, match: /api, subject: ip, limits: [6 per hour] }";
    try (Container container = started(starter, directory, rules);
        HttpClients http = protocol.client(container.base())) {
      assertThat(
              Stream.of("ada:1", "ada:2", "ada:3", "bob:1", "eve:1", "eve:2", "x:1", "y:1", "z:1")
                  .map(user -> Base64.getEncoder().encodeToString(user.getBytes(US_ASCII)))
                  .map(user -> http.get("/api", "Authorization", "Basic " + user)))
          .containsExactly(200, 200, 429, 200, 200, 200, 200, 429, 429);
    }
  }

  @ParameterizedTest
  @MethodSource("containersAndProtocols")
  void a_key_is_one_key_in_the_header_and_in_the_query(
      Containers.Starter starter, Protocol protocol, @TempDir Path directory) throws Exception {
    String rules =
        "{ name: keys, match: /api, subject: { first-of: [header:X-API-Key, query:api_key] },"
            + " limits: [2 per hour] }";
    try (Container container = started(starter, directory, rules);
        HttpClients http = protocol.client(container.base())) {
      assertThat(http.get("/api", "X-API-Key", "K")).isEqualTo(200);
      assertThat(http.get("/api?api_key=K")).isEqualTo(200);
      assertThat(http.get("/api?api_key=K")).isEqualTo(429);
      assertThat(http.get("/api", "X-API-Key", "K")).isEqualTo(429);
      assertThat(http.get("/api?api_key=K", "X-API-Key", "made-up")).isEqualTo(429);
      assertThat(http.get("/api", "X-API-Key", "other")).isEqualTo(200);
    }
  }

  @ParameterizedTest
  @MethodSource("containersAndProtocols")
  void failed_logins_that_are_answered_with_a_redirect_are_counted(
      Containers.Starter starter, Protocol protocol, @TempDir Path directory) throws Exception {
    String rules =
        "{ name: logins, match: POST /login, subject: ip, limits: [3 per hour],"
            + " count: 'redirect:/login?error*' }";
    try (Container container = started(starter, directory, rules);
        HttpClients http = protocol.client(container.base())) {
      assertThat(http.posts("/login?password=right", 5)).containsOnly(302);
      assertThat(http.posts("/login?password=wrong", 4)).containsExactly(302, 302, 302, 429);
      assertThat(http.posts("/login?password=right", 1)).containsExactly(429);
    }
  }

  @ParameterizedTest
  @MethodSource("containersAndProtocols")
  void all_but_the_redirect_of_a_success_are_counted(
      Containers.Starter starter, Protocol protocol, @TempDir Path directory) throws Exception {
    String rules =
        "{ name: logins, match: POST /login, subject: ip, limits: [3 per hour],"
            + " count: '!redirect:/home' }";
    try (Container container = started(starter, directory, rules);
        HttpClients http = protocol.client(container.base())) {
      assertThat(http.posts("/login?password=right", 5)).containsOnly(302);
      assertThat(http.posts("/login?password=wrong", 4)).containsExactly(302, 302, 302, 429);
    }
  }

  @ParameterizedTest
  @MethodSource("containersAndProtocols")
  void failed_logins_that_are_answered_with_200_are_counted_where_the_application_says_so(
      Containers.Starter starter, Protocol protocol, @TempDir Path directory) throws Exception {
    String rules =
        "{ name: logins, match: POST /signin, subject: ip, limits: [3 per hour],"
            + " count: attribute:login.failed }";
    try (Container container = started(starter, directory, rules);
        HttpClients http = protocol.client(container.base())) {
      assertThat(http.posts("/signin?password=right", 5)).containsOnly(200);
      assertThat(http.posts("/signin?password=wrong", 4)).containsExactly(200, 200, 200, 429);
      assertThat(http.posts("/signin?password=right", 1)).containsExactly(429);
    }
  }

  @ParameterizedTest
  @MethodSource("containersAndProtocols")
  void all_statuses_but_one_are_counted(
      Containers.Starter starter, Protocol protocol, @TempDir Path directory) throws Exception {
    String rules =
        "{ name: others, match: '/status/{n}', subject: ip, limits: [2 per hour],"
            + " count: '!422' }";
    try (Container container = started(starter, directory, rules);
        HttpClients http = protocol.client(container.base())) {
      assertThat(http.posts("/status/422", 5)).containsOnly(422);
      assertThat(http.posts("/status/200", 3)).containsExactly(200, 200, 429);
    }
  }

  @ParameterizedTest
  @MethodSource("containersAndProtocols")
  void failures_weigh_double_by_two_rules_on_one_limit(
      Containers.Starter starter, Protocol protocol, @TempDir Path directory) throws Exception {
    String rules =
        "{ name: all, match: '/status/{n}', subject: ip, limits: [shared] },"
            + " { name: failures, match: '/status/{n}', subject: ip, limits: [shared],"
            + " count: 400-499 }";
    try (Container container = started(starter, directory, rules);
        HttpClients http = protocol.client(container.base())) {
      assertThat(http.posts("/status/200", 2)).containsExactly(200, 200);
      assertThat(http.posts("/status/404", 3)).containsExactly(404, 404, 429);
    }
  }

  @ParameterizedTest
  @MethodSource("containersAndProtocols")
  void a_client_that_is_denied_again_and_again_is_locked_out_by_a_filter_in_front(
      Containers.Starter starter, Protocol protocol, @TempDir Path directory) throws Exception {
    String lockOut =
        """
          <filter>
            <filter-name>lock-out</filter-name>
            <filter-class>dev.weir.servlet.RateLimitFilter</filter-class>
            <init-param><param-name>limit</param-name><param-value>4 per hour window UTC</param-value></init-param>
            <init-param><param-name>subject</param-name><param-value>ip</param-value></init-param>
            <init-param><param-name>count</param-name><param-value>429</param-value></init-param>
          </filter>
          <filter-mapping>
            <filter-name>lock-out</filter-name>
            <url-pattern>/*</url-pattern>
          </filter-mapping>
        """;
    try (Container container = starter.run()) {
      String webXml = WebApp.webXml(Legacy.class.getName());
      container.deploy(
          WebApp.in(directory, webXml.replace("  <filter>\n", lockOut + "  <filter>\n"))
              .with(
                  "WEB-INF/weir.yaml",
                  "rules: [{ name: api, match: /api, subject: ip, limits: [2 per hour] }]"));
      try (HttpClients http = protocol.client(container.base())) {
        assertThat(http.posts("/api", 2)).containsOnly(200);
        assertThat(http.get("/other")).isEqualTo(200);
        assertThat(http.posts("/api", 4)).containsOnly(429);
        assertThat(http.get("/other")).as("a polite request").isEqualTo(429);
        assertThat(new RawHttp(container.base()).from("127.0.0.2", "GET", "/other").status())
            .as("another client")
            .isEqualTo(200);
      }
    }
  }

  private static Container started(Containers.Starter starter, Path directory, String rules)
      throws Exception {
    Container container = starter.run();
    String filter =
        """
          <filter>
            <filter-name>tenants</filter-name>
            <filter-class>%s</filter-class>
          </filter>
          <filter-mapping>
            <filter-name>tenants</filter-name>
            <url-pattern>/*</url-pattern>
          </filter-mapping>
        """
            .formatted(Tenants.class.getName());
    String webXml =
        WebApp.webXml(Legacy.class.getName()).replace("  <filter>\n", filter + "  <filter>\n");
    container.deploy(
        WebApp.in(directory, webXml)
            .with(
                "WEB-INF/weir.yaml",
                "limits: { shared: 7 per hour window UTC }\nrules: [" + rules + "]"));
    return container;
  }
}
