package dev.weir.servlet;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.fixture.LogCapture;
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
import java.util.Collections;
import java.util.Enumeration;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The page of the status, as a deployer maps it in {@code web.xml}. */
class StatusServletTest {

  private static final String CONFIGURATION =
      """
      client-address: { trusted-proxies: [127.0.0.1] }
      rules:
        - { name: login, match: /login, subject: ip, limits: [1 per hour] }
      """;

  private static final String SERVLET =
      """
        <servlet>
          <servlet-name>weir-status</servlet-name>
          <servlet-class>dev.weir.servlet.StatusServlet</servlet-class>
          %s
          <load-on-startup>1</load-on-startup>
        </servlet>
        <servlet-mapping>
          <servlet-name>weir-status</servlet-name>
          <url-pattern>/weir-status</url-pattern>
        </servlet-mapping>
      </web-app>
      """;

  /** As a filter for forwarded fields: it hides the field, and shows the address that it names. */
  public static final class Forwarded implements Filter {

    @Override
    public void doFilter(ServletRequest request, ServletResponse response, FilterChain chain)
        throws IOException, ServletException {
      HttpServletRequest own = (HttpServletRequest) request;
      chain.doFilter(
          new HttpServletRequestWrapper(own) {
            @Override
            public String getRemoteAddr() {
              return "127.0.0.1";
            }

            @Override
            public @Nullable String getHeader(String name) {
              return name.equalsIgnoreCase("X-Forwarded-For") ? null : super.getHeader(name);
            }

            @Override
            public Enumeration<String> getHeaders(String name) {
              return name.equalsIgnoreCase("X-Forwarded-For")
                  ? Collections.emptyEnumeration()
                  : super.getHeaders(name);
            }
          },
          response);
    }
  }

  /** As a security library: its wrapper has the user. */
  public static final class Login implements Filter {

    @Override
    public void doFilter(ServletRequest request, ServletResponse response, FilterChain chain)
        throws IOException, ServletException {
      String name = ((HttpServletRequest) request).getHeader("X-Login");
      chain.doFilter(
          name == null
              ? request
              : new HttpServletRequestWrapper((HttpServletRequest) request) {
                @Override
                public Principal getUserPrincipal() {
                  return () -> name;
                }
              },
          response);
    }
  }

  @ParameterizedTest
  @MethodSource("dev.weir.servlet.Containers#all")
  void only_allowed_peers_that_come_straight_see_the_page(
      Containers.Starter starter, @TempDir Path directory) throws Exception {
    try (Container container = starter.run()) {
      RawHttp http = deployed(container, webXml("<param-value>127.0.0.1</param-value>"), directory);
      assertThat(http.get("/weir-status").status()).isEqualTo(200);
      assertThat(http.from("127.0.0.2", "GET", "/weir-status").status()).isEqualTo(404);
      for (String field :
          new String[] {
            "X-Forwarded-For: 127.0.0.1",
            "x-forwarded-for: ",
            "Forwarded: for=127.0.0.1",
            "Via: 1.1 nginx",
            "X-Real-IP: 127.0.0.1",
            "Host: evil.example",
            "Host: evil.example:80"
          }) {
        Answer hidden = http.get("/weir-status", field);
        assertThat(hidden.status()).as(field).isEqualTo(404);
        assertThat(hidden.body()).as(field).doesNotContain("weir_").doesNotContain("login");
      }
    }
  }

  @ParameterizedTest
  @MethodSource("dev.weir.servlet.Containers#all")
  void it_shows_the_status_as_json_and_for_prometheus(
      Containers.Starter starter, @TempDir Path directory) throws Exception {
    try (Container container = starter.run()) {
      RawHttp http = deployed(container, webXml("<param-value>127.0.0.1</param-value>"), directory);
      assertThat(http.get("/login").status()).isEqualTo(200);
      assertThat(http.get("/login").status()).isEqualTo(429);
      Answer json = http.get("/weir-status");
      assertThat(json.field("Content-Type")).startsWith("application/json");
      assertThat(json.field("Cache-Control")).isEqualTo("no-store");
      assertThat(json.field("Set-Cookie")).isEmpty();
      assertThat(json.body()).contains("\"denied\":1").doesNotContain("127.0.0.1");
      Answer text = http.get("/weir-status?format=prometheus");
      assertThat(text.field("Content-Type").replace("; ", ";"))
          .isEqualToIgnoringCase("text/plain;version=0.0.4;charset=utf-8");
      assertThat(text.body())
          .contains(
              "weir_denials_total{limit=\"login\",reason=\"exhausted\",rule=\"login\"} 1.0\n");
      Answer head = http.send("HEAD", "/weir-status");
      assertThat(head.status()).isEqualTo(200);
      assertThat(head.body()).isEmpty();
      assertThat(Integer.parseInt(head.field("Content-Length"))).isGreaterThan(500);
      assertThat(http.post("/weir-status").status()).isEqualTo(405);
      assertThat(http.post("/weir-status").field("Allow")).isEqualTo("GET, HEAD");
    }
  }

  @ParameterizedTest
  @MethodSource("dev.weir.servlet.Containers#all")
  void no_filter_hides_that_a_request_has_passed_a_proxy(
      Containers.Starter starter, @TempDir Path directory) throws Exception {
    try (Container container = starter.run()) {
      String webXml = webXml("<param-value>127.0.0.1</param-value>");
      RawHttp http = deployed(container, behind(Forwarded.class, webXml), directory);
      assertThat(http.get("/weir-status").status()).isEqualTo(200);
      assertThat(http.get("/weir-status", "X-Forwarded-For: 192.0.2.1").status()).isEqualTo(404);
      assertThat(http.from("127.0.0.2", "GET", "/weir-status").status()).isEqualTo(404);
    }
  }

  @ParameterizedTest
  @MethodSource("dev.weir.servlet.Containers#all")
  void with_authenticated_the_user_of_the_application_sees_it(
      Containers.Starter starter, @TempDir Path directory) throws Exception {
    try (Container container = starter.run()) {
      String webXml = webXml("<param-value>authenticated</param-value>");
      RawHttp http = deployed(container, behind(Login.class, webXml), directory);
      assertThat(http.get("/weir-status").status()).isEqualTo(404);
      assertThat(http.get("/weir-status", "X-Login: admin").status()).isEqualTo(200);
    }
  }

  @ParameterizedTest
  @MethodSource("dev.weir.servlet.Containers#all")
  void without_allow_it_does_not_exist(Containers.Starter starter, @TempDir Path directory)
      throws Exception {
    try (Container container = starter.run()) {
      String webXml = WebApp.webXml(QueryTest.Echo.class.getName());
      RawHttp http = deployed(container, withServlet(webXml, ""), directory);
      assertThat(http.get("/weir-status").status()).isEqualTo(404);
      assertThat(http.get("/login").status()).isEqualTo(200);
    }
  }

  @Test
  void a_wrong_init_param_is_logged_and_there_is_no_page(@TempDir Path directory) throws Exception {
    try (LogCapture log = new LogCapture("dev.weir.config");
        Container container = TomcatContainer.start()) {
      RawHttp http = deployed(container, webXml("<param-value>local</param-value>"), directory);
      assertThat(log.text())
          .contains("servlet 'weir-status': init-param 'allow': 'local' (expected: a network");
      Answer page = http.get("/weir-status");
      assertThat(page.status()).isEqualTo(404);
      assertThat(page.body()).doesNotContain("allow").doesNotContain("Weir");
      assertThat(http.get("/login").status()).isEqualTo(200);
      assertThat(http.get("/login").status()).isEqualTo(429);
    }
  }

  private static RawHttp deployed(Container container, String webXml, Path directory)
      throws Exception {
    container.deploy(WebApp.in(directory, webXml).with("WEB-INF/weir.yaml", CONFIGURATION));
    return new RawHttp(container.base());
  }

  private static String webXml(String allow) {
    return withServlet(
        WebApp.webXml(QueryTest.Echo.class.getName()),
        "<init-param><param-name>allow</param-name>" + allow + "</init-param>");
  }

  private static String withServlet(String webXml, String initParams) {
    return webXml.replace("</web-app>\n", SERVLET.formatted(initParams));
  }

  /** With a filter in front of the filter that limits. */
  private static String behind(Class<? extends Filter> filter, String webXml) {
    String front =
        """
        <filter><filter-name>front</filter-name><filter-class>%s</filter-class></filter>
        <filter-mapping><filter-name>front</filter-name><url-pattern>/*</url-pattern></filter-mapping>
        <filter>
        """
            .formatted(filter.getName());
    int first = webXml.indexOf("<filter>\n");
    return webXml.substring(0, first) + front + webXml.substring(first + "<filter>\n".length());
  }
}
