package dev.weir.jaxrs;

import dev.weir.config.WeirSource;
import dev.weir.http.spi.Completion;
import jakarta.servlet.AsyncEvent;
import jakarta.servlet.AsyncListener;
import jakarta.servlet.ServletContainerInitializer;
import jakarta.servlet.ServletContext;
import jakarta.servlet.ServletContextEvent;
import jakarta.servlet.ServletContextListener;
import jakarta.servlet.ServletRequest;
import jakarta.servlet.ServletRequestEvent;
import jakarta.servlet.ServletRequestListener;
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
  private static final String LISTENING = ServletApplications.class.getName() + ".listening";
  private static final String COMPLETION = ServletApplications.class.getName() + ".completion";

  /** By class loader. A loader that several applications share belongs to none of them. */
  private static final Map<ClassLoader, List<WeakReference<ServletContext>>> ALL =
      new WeakHashMap<>();

  @Override
  public void onStartup(@Nullable Set<Class<?>> none, ServletContext application) {
    Ending ending = new Ending();
    application.setAttribute(ENDING, ending);
    application.addListener(ending);
    listenToRequests(application);
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
      ending.features.add(feature);
    }
  }

  /** Lets an application that is starting report the ends of its requests, once. */
  static void listenToRequests(ServletContext application) {
    if (application.getAttribute(LISTENING) != null) {
      return;
    }
    try {
      application.addListener(new RequestEnds());
      application.setAttribute(LISTENING, true);
    } catch (IllegalStateException | UnsupportedOperationException tooLate) {
      // then JAX-RS alone reports ends
    }
  }

  /** Reports the end of this request, if its application {@link #listenToRequests listens}. */
  static void reportEndOf(ServletRequest request, Completion completion) {
    request.setAttribute(COMPLETION, completion);
  }

  /**
   * A listener that reports the end of a request when it leaves the application, or when its
   * asynchronous work has ended. JAX-RS reports no end of a request whose client has gone before
   * its answer.
   */
  private static final class RequestEnds implements ServletRequestListener {

    /** Required by Servlet 3.1. */
    @Override
    public void requestInitialized(ServletRequestEvent event) {}

    /** Called by Tomcat when all has ended, and by Jetty when a thread has left the application. */
    @Override
    public void requestDestroyed(ServletRequestEvent event) {
      ServletRequest request = event.getServletRequest();
      if (!(request.getAttribute(COMPLETION) instanceof Completion completion)) {
        return;
      }
      if (!request.isAsyncStarted()) {
        completion.failed();
        return;
      }
      try {
        request.getAsyncContext().addListener(new AsyncEnd(completion));
      } catch (IllegalStateException repliedMeanwhile) {
        // JAX-RS has reported the end
      }
    }
  }

  /**
   * The end of asynchronous work. JAX-RS has reported it before, with the status, if the client has
   * its answer.
   */
  private record AsyncEnd(Completion completion) implements AsyncListener {

    @Override
    public void onComplete(AsyncEvent event) {
      completion.failed();
    }

    /** The container completes the request after this. */
    @Override
    public void onTimeout(AsyncEvent event) {}

    /** The client has gone, or the application has failed. Jetty may report nothing after this. */
    @Override
    public void onError(AsyncEvent event) {
      completion.cancelled(Optional.empty());
    }

    @Override
    public void onStartAsync(AsyncEvent event) {
      event.getAsyncContext().addListener(this);
      completion.resumed();
    }
  }

  /** A listener that closes features and forgets the application, even one without JAX-RS. */
  private static final class Ending implements ServletContextListener {

    private final Queue<RateLimitFeature> features = new ConcurrentLinkedQueue<>();

    /** Required by Servlet 3.1. */
    @Override
    public void contextInitialized(ServletContextEvent event) {}

    @Override
    public void contextDestroyed(ServletContextEvent event) {
      try {
        for (RateLimitFeature feature : features) {
          feature.close();
        }
      } finally {
        ServletContext ended = event.getServletContext();
        synchronized (ALL) {
          ALL.values().forEach(all -> all.removeIf(known -> known.refersTo(ended)));
          ALL.values().removeIf(List::isEmpty);
        }
      }
    }
  }
}
