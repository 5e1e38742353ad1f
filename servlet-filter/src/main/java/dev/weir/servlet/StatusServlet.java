package dev.weir.servlet;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.weir.config.ConfigurationException;
import dev.weir.config.StatusPage;
import dev.weir.config.StatusPage.Answer;
import jakarta.servlet.DispatcherType;
import jakarta.servlet.UnavailableException;
import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.io.Serial;
import java.util.Collections;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A servlet that shows the status of the application's limits, as JSON or as metrics for
 * Prometheus. It only reads. No path leads to it until {@code web.xml} maps it. It answers 404 to
 * everybody until {@code allow} names who may read it. {@link StatusPage} gives the details.
 * Thread-safe. Its first request would otherwise start it, so set {@code load-on-startup}.
 *
 * <pre>{@code
 * <servlet>
 *   <servlet-name>weir-status</servlet-name>
 *   <servlet-class>dev.weir.servlet.StatusServlet</servlet-class>
 *   <init-param><param-name>allow</param-name><param-value>10.1.2.0/24</param-value></init-param>
 *   <load-on-startup>1</load-on-startup>
 * </servlet>
 * <servlet-mapping>
 *   <servlet-name>weir-status</servlet-name>
 *   <url-pattern>/weir-status</url-pattern>
 * </servlet-mapping>
 * }</pre>
 *
 * <p>It shows one configuration: the first that the application has opened, or that of the
 * init-param {@code config}. It never starts a session.
 */
public final class StatusServlet extends HttpServlet {

  @Serial private static final long serialVersionUID = 1L;

  private transient @Nullable StatusPage page;

  /**
   * Joins the configuration that the filter has opened: filters start before servlets.
   *
   * @throws UnavailableException when an init-param is wrong. A container then answers 404, where
   *     it would show the message of another exception to clients
   */
  @Override
  public void init() throws UnavailableException {
    Map<String, String> params = new HashMap<>();
    for (String name : Collections.list(getInitParameterNames())) {
      params.put(name, Objects.requireNonNullElse(getInitParameter(name), ""));
    }
    try {
      page = StatusPage.open(RateLimitFilter.source(getServletName(), params, getServletContext()));
    } catch (ConfigurationException e) {
      throw new UnavailableException(e.getMessage());
    } catch (RuntimeException | LinkageError logged) {
      throw new UnavailableException("the status page does not start");
    }
  }

  @Override
  public void destroy() {
    StatusPage own = page;
    page = null;
    if (own != null) {
      own.close();
    }
  }

  @Override
  protected void service(HttpServletRequest request, HttpServletResponse response)
      throws IOException {
    StatusPage own = page;
    boolean isPart = request.getDispatcherType() == DispatcherType.INCLUDE; // of another page
    Optional<Answer> answer =
        own == null || isPart
            ? Optional.empty()
            : own.answer(ServletRequestView.ofContainer(request), new ServletRequestView(request));
    if (answer.isPresent()) {
      send(answer.get(), request, response);
    } else {
      response.sendError(HttpServletResponse.SC_NOT_FOUND);
    }
  }

  private static void send(Answer answer, HttpServletRequest request, HttpServletResponse response)
      throws IOException {
    byte[] body = answer.body().getBytes(UTF_8);
    response.setStatus(answer.status());
    answer.fields().forEach(response::setHeader);
    response.setContentLength(body.length);
    if (!request.getMethod().equals("HEAD")) {
      response.getOutputStream().write(body);
    }
  }
}
