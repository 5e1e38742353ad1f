package dev.weir.jaxrs;

import dev.weir.config.WeirSource;
import jakarta.servlet.ServletContainerInitializer;
import jakarta.servlet.ServletContext;
import jakarta.servlet.ServletContextEvent;
import jakarta.servlet.ServletContextListener;
import java.lang.ref.WeakReference;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Queue;
import java.util.Set;
import java.util.WeakHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.jspecify.annotations.Nullable;

/**
 * The registry of this process's web applications, filled by the servlet container. Some JAX-RS
 * servers do not pass a feature its application, nor notify it when that ends.
 *
 * <p>Public for the container alone. Thread-safe.
 */
public final class ServletApplications implements ServletContainerInitializer {

  private static final String ENDING = ServletApplications.class.getName() + ".ending";

  /** By class loader. A loader that several applications share belongs to none of them. */
  private static final Map<ClassLoader, List<WeakReference<ServletContext>>> ALL =
      new WeakHashMap<>();

  @Override
  public void onStartup(@Nullable Set<Class<?>> none, ServletContext application) {
    Ending ending = new Ending();
    application.setAttribute(ENDING, ending);
    application.addListener(ending);
    synchronized (ALL) {
      ALL.computeIfAbsent(application.getClassLoader(), loader -> new ArrayList<>())
          .add(new WeakReference<>(application));
    }
  }

  /** Returns the only application of the current thread's class loader; otherwise empty. */
  static Optional<ServletContext> current() {
    synchronized (ALL) {
      List<WeakReference<ServletContext>> all =
          ALL.getOrDefault(WeirSource.applicationClassLoader(), new ArrayList<>());
      all.removeIf(known -> known.refersTo(null)); // its deployment failed
      return all.size() == 1 ? Optional.ofNullable(all.get(0).get()) : Optional.empty();
    }
  }

  /** Closes this feature when the application ends, if the container has reported its start. */
  static void closeWith(ServletContext application, RateLimitFeature feature) {
    if (application.getAttribute(ENDING) instanceof Ending ending) {
      ending.closings.add(feature::close);
    }
  }

  /** A listener that closes features and forgets the application, even one without JAX-RS. */
  private static final class Ending implements ServletContextListener {

    private final Queue<Runnable> closings = new ConcurrentLinkedQueue<>();

    /** Required by Servlet 3.1. */
    @Override
    public void contextInitialized(ServletContextEvent event) {}

    @Override
    public void contextDestroyed(ServletContextEvent event) {
      closings.forEach(Runnable::run);
      synchronized (ALL) {
        ALL.values()
            .forEach(all -> all.removeIf(known -> known.refersTo(event.getServletContext())));
        ALL.values().removeIf(List::isEmpty);
      }
    }
  }
}
