package dev.weir.servlet;

import dev.weir.config.ConfigurationException;
import dev.weir.config.Weir;
import dev.weir.config.WeirSource;
import jakarta.servlet.ServletContainerInitializer;
import jakarta.servlet.ServletContext;
import jakarta.servlet.ServletContextEvent;
import jakarta.servlet.ServletContextListener;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * An initializer that opens the configurations of the {@link RateLimitFilter}s when the application
 * starts. Some containers, such as Undertow, initialise a filter with the first request. A wrong
 * configuration would then answer each request with 500, but it must stop the deployment.
 *
 * <p>A filter that is initialised later opens the same configuration again and shares it. A filter
 * that was registered in code with a {@link Weir} uses that and opens none. If there is such a
 * filter, this class skips filters without init-params.
 *
 * <p>Public for the container alone.
 */
public final class EagerStart implements ServletContainerInitializer {

  @Override
  public void onStartup(@Nullable Set<Class<?>> none, ServletContext application) {
    List<WeirSource> sources =
        application.getFilterRegistrations().values().stream()
            .filter(filter -> RateLimitFilter.class.getName().equals(filter.getClassName()))
            .filter(filter -> RateLimitFilter.opensOne(filter.getInitParameters()))
            .map(
                filter ->
                    RateLimitFilter.source(
                        filter.getName(), filter.getInitParameters(), application))
            .toList();
    if (!sources.isEmpty()) {
      application.addListener(new StartListener(sources));
    }
  }

  /**
   * A listener that keeps them open until the application ends. It starts after the listeners of
   * web.xml.
   */
  private static final class StartListener implements ServletContextListener {

    private final List<WeirSource> sources;
    private final List<Weir> opened = new ArrayList<>();

    private StartListener(List<WeirSource> sources) {
      this.sources = sources;
    }

    /**
     * @throws ConfigurationException with every problem of the first configuration that cannot be
     *     opened
     */
    @Override
    public void contextInitialized(ServletContextEvent event) {
      try {
        sources.forEach(source -> opened.add(Weir.open(source)));
      } catch (RuntimeException | Error e) {
        close();
        throw e;
      }
    }

    @Override
    public void contextDestroyed(ServletContextEvent event) {
      close();
    }

    private void close() {
      for (Weir weir : opened) {
        weir.close();
      }
      opened.clear();
    }
  }
}
