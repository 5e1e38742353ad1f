package com.example;

import dev.weir.config.Weir;
import dev.weir.config.WeirSource;
import dev.weir.micrometer.WeirMetrics;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;

/**
 * Answers {@code GET /metrics} with this node's meters, as Prometheus reads them. It starts with the
 * application ({@code load-on-startup}), behind the filter whose meters these are.
 */
public final class MetricsServlet extends HttpServlet {

  private static final String TEXT = "text/plain; version=0.0.4; charset=utf-8";

  private final transient PrometheusMeterRegistry registry =
      new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);

  private transient Weir weir;
  private transient WeirMetrics metrics;

  @Override
  public void init() {
    weir = Weir.join(WeirSource.of("metrics")); // what the filter has opened
    metrics = new WeirMetrics(weir);
    metrics.bindTo(registry);
  }

  @Override
  public void destroy() {
    metrics.close();
    weir.close();
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
