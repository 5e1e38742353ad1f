package dev.weir.servlet;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.http.Answer;
import dev.weir.http.RawHttp;
import jakarta.servlet.Filter;
import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.ServletRequest;
import jakarta.servlet.ServletResponse;
import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletRequestWrapper;
import jakarta.servlet.http.HttpServletResponse;
import jakarta.servlet.http.HttpServletResponseWrapper;
import java.io.IOException;
import java.io.Serial;
import java.nio.file.Path;
import java.util.Objects;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** What filters in front wrap a request in, they wrap it in once, whether it has waited or not. */
class WrappedWaitingTest {

  private static final String LAYER = "+";
  private static final String WEB_XML =
      """
      <web-app xmlns="https://jakarta.ee/xml/ns/jakartaee" version="5.0" metadata-complete="true">
        <filter>
          <filter-name>wrapping</filter-name>
          <filter-class>dev.weir.servlet.WrappedWaitingTest$Wrapping</filter-class>
          <async-supported>true</async-supported>
        </filter>
        <filter>
          <filter-name>weir</filter-name>
          <filter-class>dev.weir.servlet.RateLimitFilter</filter-class>
          <async-supported>true</async-supported>
          <init-param><param-name>subject</param-name><param-value>global</param-value></init-param>
          <init-param><param-name>limit</param-name><param-value>20 per minute, burst 1</param-value></init-param>
          <init-param><param-name>on-denial</param-name><param-value>delay up to 20s</param-value></init-param>
          <init-param><param-name>delays</param-name><param-value>async</param-value></init-param>
        </filter>
        <filter-mapping>
          <filter-name>wrapping</filter-name>
          <url-pattern>/*</url-pattern>
          <dispatcher>REQUEST</dispatcher>
          <dispatcher>ASYNC</dispatcher>
        </filter-mapping>
        <filter-mapping>
          <filter-name>weir</filter-name>
          <url-pattern>/*</url-pattern>
        </filter-mapping>
        <servlet>
          <servlet-name>telling</servlet-name>
          <servlet-class>dev.weir.servlet.WrappedWaitingTest$Telling</servlet-class>
          <async-supported>true</async-supported>
        </servlet>
        <servlet-mapping>
          <servlet-name>telling</servlet-name>
          <url-pattern>/</url-pattern>
        </servlet-mapping>
      </web-app>
      """;

  @SuppressWarnings("NullAway.Init") // made before each test
  @TempDir
  private Path directory;

  @ParameterizedTest
  @MethodSource("dev.weir.servlet.Containers#all")
  void a_request_that_has_waited_is_wrapped_as_one_that_has_not(Containers.Starter starter)
      throws Exception {
    try (Container container = starter.run()) {
      container.deploy(WebApp.in(directory, WEB_XML));
      RawHttp http = new RawHttp(container.base());
      assertWrappedOnce(http.get("/a"), "REQUEST");
      assertWrappedOnce(http.get("/a"), "ASYNC");
    }
  }

  private static void assertWrappedOnce(Answer answer, String dispatch) {
    assertThat(answer.field("X-Dispatch")).isEqualTo(dispatch);
    assertThat(answer.field("X-Request-Layers")).isEqualTo(LAYER);
    assertThat(answer.field("X-Response-Layers")).isEqualTo(LAYER);
  }

  /** Says how often each was wrapped. */
  public static final class Telling extends HttpServlet {

    @Serial private static final long serialVersionUID = 1L;

    @Override
    protected void doGet(HttpServletRequest request, HttpServletResponse response) {
      response.setHeader("X-Dispatch", request.getDispatcherType().name());
      response.setHeader("X-Request-Layers", request.getParameter("layers"));
      response.setHeader("X-Response-Layers", "");
    }
  }

  /** Adds a layer to both. */
  public static final class Wrapping implements Filter {

    @Override
    public void doFilter(ServletRequest request, ServletResponse response, FilterChain chain)
        throws IOException, ServletException {
      chain.doFilter(
          new WrappedRequest((HttpServletRequest) request),
          new WrappedResponse((HttpServletResponse) response));
    }
  }

  private static final class WrappedRequest extends HttpServletRequestWrapper {

    private WrappedRequest(HttpServletRequest request) {
      super(request);
    }

    @Override
    public String getParameter(String name) {
      return Objects.requireNonNullElse(super.getParameter(name), "") + LAYER;
    }
  }

  private static final class WrappedResponse extends HttpServletResponseWrapper {

    private WrappedResponse(HttpServletResponse response) {
      super(response);
    }

    @Override
    public void setHeader(String name, String value) {
      super.setHeader(name, name.equals("X-Response-Layers") ? value + LAYER : value);
    }
  }
}
