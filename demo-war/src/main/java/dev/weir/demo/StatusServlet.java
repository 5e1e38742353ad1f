package dev.weir.demo;

import dev.weir.config.Weir;
import dev.weir.config.WeirSource;
import dev.weir.config.WeirStatus;
import jakarta.json.Json;
import jakarta.json.JsonArrayBuilder;
import jakarta.servlet.ServletContext;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.io.InputStream;
import java.io.Serial;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Properties;
import org.jspecify.annotations.Nullable;

/**
 * {@code GET /status}: the state of this node's limits. It opens the configuration that the filter
 * opens, so it shares the filter's {@link Weir}.
 */
public final class StatusServlet extends HttpServlet {

  @Serial private static final long serialVersionUID = 1L;

  private static final String BUILD = "/META-INF/maven/dev.weir/weir-demo-war/pom.properties";

  private final transient RequestCounts requests = new RequestCounts();

  private transient @Nullable Weir weir;
  private transient List<Integer> ports = List.of();
  private String version = "";

  @Override
  public void init() throws ServletException {
    ServletContext context = getServletContext();
    ports = Ports.of(context);
    version = version(context);
    weir =
        Weir.open(
            new WeirSource(
                getServletName(),
                Map.of(),
                context::getResourceAsStream,
                WeirSource.applicationClassLoader()));
    weir.addListener(requests);
  }

  @Override
  public void destroy() {
    if (weir != null) {
      weir.close();
    }
  }

  @Override
  protected void doGet(HttpServletRequest request, HttpServletResponse response)
      throws IOException {
    if (weir == null) {
      throw new IllegalStateException("status: asked before init");
    }
    response.setHeader("Cache-Control", "no-store");
    WeirStatus status = weir.status();
    JsonAnswer.write(
        StatusJson.of(status, weir.rules())
            .add("version", version)
            .add("control", hasControl())
            .add("requests", requests.json())
            .add("storeMillis", requests.millisOf(status.store()))
            .add("port", request.getLocalPort())
            .add("ports", sisters())
            .build(),
        response);
  }

  /** Returns the version that the build has written into the WAR. */
  private static String version(ServletContext context) throws ServletException {
    Properties build = new Properties();
    try (InputStream written = context.getResourceAsStream(BUILD)) {
      build.load(Objects.requireNonNull(written, BUILD));
    } catch (IOException e) {
      throw new ServletException(e);
    }
    return build.getProperty("version");
  }

  /** Returns whether the page can stop Redis: only where the demo has started it. */
  private boolean hasControl() {
    return Boolean.parseBoolean(getServletContext().getInitParameter("weir.demo.control"));
  }

  private JsonArrayBuilder sisters() {
    JsonArrayBuilder sisters = Json.createArrayBuilder();
    ports.forEach(sisters::add);
    return sisters;
  }
}
