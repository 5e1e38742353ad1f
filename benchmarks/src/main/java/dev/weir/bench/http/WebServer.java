package dev.weir.bench.http;

import dev.weir.bench.Opened;
import dev.weir.bench.peer.Build;
import dev.weir.servlet.RateLimitFilter;
import jakarta.servlet.DispatcherType;
import jakarta.servlet.Filter;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.EnumSet;
import java.util.Map;
import org.eclipse.jetty.ee10.servlet.FilterHolder;
import org.eclipse.jetty.ee10.servlet.ServletContextHandler;
import org.eclipse.jetty.ee10.servlet.ServletHolder;
import org.eclipse.jetty.server.Server;
import org.eclipse.jetty.server.ServerConnector;
import org.eclipse.jetty.server.handler.ContextHandlerCollection;

/**
 * A Jetty with its defaults, with the same servlet in several applications that differ only in
 * their filter. They share its threads, its connector, the code of Jetty and the memory of the JVM.
 * So what one application leaves behind there, such as garbage, is paid by another one too.
 */
final class WebServer implements AutoCloseable {

  private final Server server;
  private final ServerConnector connector;
  private final ContextHandlerCollection applications = new ContextHandlerCollection();
  private final Opened opened = new Opened();

  WebServer() {
    this(JettyThreads.POOLED);
  }

  WebServer(JettyThreads threads) {
    server = new Server(threads.create());
    connector = new ServerConnector(server);
    connector.setHost("127.0.0.1");
    server.addConnector(connector);
    server.setHandler(applications);
  }

  /** Returns this, which is closed once the server has stopped. */
  <T extends AutoCloseable> T closing(T resource) {
    return opened.add(resource);
  }

  /** Adds an application at {@code /name}, without a filter. */
  void unlimited(String name) {
    application(name);
  }

  /**
   * Adds one with the filter of a build of Weir, configured by this file as in a {@code web.xml}.
   */
  void weir(String name, String yaml, Build build) throws IOException {
    Path file = Files.createTempFile("weir-bench", ".yaml");
    AutoCloseable unused = opened.add(() -> Files.delete(file));
    Files.writeString(file, yaml);
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

  /** Stops it, even if it has not started, and closes its resources. */
  @Override
  public void close() {
    AutoCloseable unused = opened.add(server::stop); // before all others
    opened.close();
  }
}
