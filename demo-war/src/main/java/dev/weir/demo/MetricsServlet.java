package dev.weir.demo;

import dev.weir.config.Weir;
import dev.weir.config.WeirSource;
import dev.weir.micrometer.WeirMetrics;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.io.Serial;
import org.jspecify.annotations.Nullable;

/** {@code GET /metrics}: this node's meters in the Prometheus text format. */
public final class MetricsServlet extends HttpServlet {

  @Serial private static final long serialVersionUID = 1L;

  private static final String TEXT = "text/plain; version=0.0.4; charset=utf-8";

  private final transient PrometheusMeterRegistry registry =
      new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);

  private transient @Nullable Weir weir;
  private transient @Nullable WeirMetrics metrics;

  /** Joins the configuration that the filter has opened: filters start before servlets. */
  @Override
  public void init() {
    weir = Weir.join(WeirSource.of(getServletName()));
    metrics = new WeirMetrics(weir);
    metrics.bindTo(registry);
  }

  @Override
  public void destroy() {
    if (weir != null) {
      weir.close();
    }
    if (metrics != null) {
      metrics.close();
    }
    registry.close();
  }

  @Override
  protected void doGet(HttpServletRequest request, HttpServletResponse response)
      throws IOException {
    response.setHeader("Cache-Control", "no-store");
    response.setContentType(TEXT);
    response.getWriter().write(registry.scrape(TEXT));
  }
}
