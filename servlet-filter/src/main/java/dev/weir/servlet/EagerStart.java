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
 * Opens the configurations of the {@link RateLimitFilter}s when the application starts. Some
 * containers, such as Undertow, initialise a filter with the first request: a wrong configuration
 * would answer each request with 500 then, where it is to stop the deployment.
 *
 * <p>A filter that is initialised opens the same configuration again, and shares it. One that was
 * registered in code with a {@link Weir} has that, and opens none: where there is such a filter,
 * those without init-params are left to themselves.
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

  /** Keeps them open until the application ends. It starts behind the listeners of web.xml. */
  private static final class StartListener implements ServletContextListener {

    private final List<WeirSource> sources;
    private final List<Weir> opened = new ArrayList<>();

    private StartListener(List<WeirSource> sources) {
      this.sources = sources;
    }

    /**
     * @throws ConfigurationException with everything that is wrong with the first that cannot be
     *     opened
     */
    @Override
    public void contextInitialized(ServletContextEvent event) {
      try {
        sources.forEach(source -> opened.add(Weir.open(source)));
      } catch (ConfigurationException e) {
        close();
        throw e;
      }
    }

    @Override
    public void contextDestroyed(ServletContextEvent event) {
      close();
    }

    private void close() {
      opened.forEach(Weir::close);
      opened.clear();
    }
  }
}
