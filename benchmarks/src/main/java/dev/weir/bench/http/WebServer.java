package dev.weir.bench.http;

import dev.weir.bench.peer.Build;
import dev.weir.servlet.RateLimitFilter;
import jakarta.servlet.DispatcherType;
import jakarta.servlet.Filter;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import org.eclipse.jetty.ee10.servlet.FilterHolder;
import org.eclipse.jetty.ee10.servlet.ServletContextHandler;
import org.eclipse.jetty.ee10.servlet.ServletHolder;
import org.eclipse.jetty.server.Server;
import org.eclipse.jetty.server.ServerConnector;
import org.eclipse.jetty.server.handler.ContextHandlerCollection;

/**
 * A Jetty with its defaults, with the same servlet in several applications that differ only in
 * their filter. They share threads and connectors, so nothing else can make a difference.
 */
final class WebServer implements AutoCloseable {

  private final Server server = new Server();
  private final ServerConnector connector = new ServerConnector(server);
  private final ContextHandlerCollection applications = new ContextHandlerCollection();
  private final List<AutoCloseable> resources = new ArrayList<>();

  WebServer() {
    connector.setHost("127.0.0.1");
    server.addConnector(connector);
    server.setHandler(applications);
  }

  /** Adds an application at {@code /name}, without a filter. */
  void unlimited(String name) {
    application(name);
  }

  /** Adds one with the filter of Weir, configured by this file as in a {@code web.xml}. */
  void weir(String name, String yaml) throws IOException {
    weir(name, yaml, Build.current());
  }

  /** Adds one with the filter of some build of Weir. */
  void weir(String name, String yaml, Build build) throws IOException {
    Path file = Files.createTempFile("weir-bench", ".yaml");
    Files.writeString(file, yaml);
    resources.add(() -> Files.delete(file));
    filter(name, build, RateLimitFilter.class, Map.of("config", file.toString()));
  }

  /** Adds one with a filter of this build of ours or of a peer, and its init-params. */
  void filter(
      String name, Build build, Class<? extends Filter> like, Map<String, String> parameters) {
    Class<? extends Filter> own = build.load(like.getName(), Filter.class);
    FilterHolder holder = new FilterHolder(own);
    holder.setName("limits");
    holder.setInitParameters(parameters);
    holder.setAsyncSupported(true);
    ServletContextHandler application = application(name);
    application.addFilter(holder, "/*", EnumSet.of(DispatcherType.REQUEST));
    application.setClassLoader(own.getClassLoader());
  }

  private ServletContextHandler application(String name) {
    ServletContextHandler application = new ServletContextHandler("/" + name);
    application.addServlet(new ServletHolder(new OkServlet()), "/*");
    applications.addHandler(application);
    return application;
  }

  void start() throws Exception {
    server.start();
  }

  int port() {
    return connector.getLocalPort();
  }

  /**
   * Stops it and closes its resources.
   *
   * @throws IllegalStateException when it does not stop
   */
  @Override
  public void close() {
    try {
      server.stop();
      for (AutoCloseable resource : resources) {
        resource.close();
      }
    } catch (Exception failed) {
      throw new IllegalStateException("Jetty does not stop", failed);
    }
  }
}
