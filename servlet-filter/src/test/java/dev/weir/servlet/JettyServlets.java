package dev.weir.servlet;

import static org.assertj.core.api.Assertions.assertThatNoException;

import jakarta.servlet.DispatcherType;
import jakarta.servlet.Filter;
import jakarta.servlet.ServletContainerInitializer;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.io.Serial;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.util.EnumSet;
import org.eclipse.jetty.ee10.servlet.FilterHolder;
import org.eclipse.jetty.ee10.servlet.ServletContextHandler;
import org.eclipse.jetty.ee10.servlet.ServletHolder;
import org.eclipse.jetty.server.Server;

/** Filters and servlets registered in code. */
final class JettyServlets implements AutoCloseable {

  private final Server server =
      new Server(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
  private final ServletContextHandler context = new ServletContextHandler("/shop");

  /** What a servlet does. */
  interface Service {
    void serve(HttpServletRequest request, HttpServletResponse response)
        throws ServletException, IOException;
  }

  JettyServlets() {
    server.setHandler(context);
  }

  JettyServlets filter(Filter filter) {
    FilterHolder holder = new FilterHolder(filter);
    holder.setAsyncSupported(true);
    context.addFilter(holder, "/*", EnumSet.allOf(DispatcherType.class));
    return this;
  }

  JettyServlets initializer(ServletContainerInitializer initializer) {
    context.addServletContainerInitializer(initializer);
    return this;
  }

  JettyServlets servlet(String pattern, Service service) {
    context.addServlet(new ServletHolder(new Serving(service)), pattern);
    return this;
  }

  JettyServlets start() throws Exception {
    server.start();
    return this;
  }

  URI base() {
    return URI.create("http://127.0.0.1:" + server.getURI().getPort() + "/shop");
  }

  @Override
  public void close() {
    assertThatNoException().isThrownBy(server::stop);
  }

  private static final class Serving extends HttpServlet {

    @Serial private static final long serialVersionUID = 1L;

    private final transient Service service;

    private Serving(Service service) {
      this.service = service;
    }

    @Override
    protected void service(HttpServletRequest request, HttpServletResponse response)
        throws ServletException, IOException {
      service.serve(request, response);
    }
  }
}
