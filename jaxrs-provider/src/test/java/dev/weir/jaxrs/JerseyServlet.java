package dev.weir.jaxrs;

import static org.assertj.core.api.Assertions.assertThatNoException;

import jakarta.servlet.DispatcherType;
import jakarta.servlet.Filter;
import java.net.URI;
import java.util.EnumSet;
import java.util.Map;
import org.eclipse.jetty.ee10.servlet.FilterHolder;
import org.eclipse.jetty.ee10.servlet.ServletContextHandler;
import org.eclipse.jetty.ee10.servlet.ServletHolder;
import org.eclipse.jetty.http2.server.HTTP2CServerConnectionFactory;
import org.eclipse.jetty.server.HttpConfiguration;
import org.eclipse.jetty.server.HttpConnectionFactory;
import org.eclipse.jetty.server.ServerConnector;
import org.glassfish.jersey.server.ResourceConfig;
import org.glassfish.jersey.servlet.ServletContainer;

/** Jersey as a servlet in Jetty, at {@code /shop} and below a path of its own if it has one. */
final class JerseyServlet implements Server {

  private final org.eclipse.jetty.server.Server server = new org.eclipse.jetty.server.Server();
  private final ServletContextHandler context = new ServletContextHandler("/shop");

  /** Not started yet. */
  static JerseyServlet at(String pattern, ResourceConfig application) {
    return new JerseyServlet(pattern, application);
  }

  private JerseyServlet(String pattern, ResourceConfig application) {
    HttpConfiguration both = new HttpConfiguration();
    ServerConnector connector =
        new ServerConnector(
            server, new HttpConnectionFactory(both), new HTTP2CServerConnectionFactory(both));
    connector.setHost("127.0.0.1");
    server.addConnector(connector);
    ServletHolder jersey = new ServletHolder(new ServletContainer(application));
    jersey.setInitOrder(1);
    jersey.setAsyncSupported(true);
    context.addServlet(jersey, pattern);
    server.setHandler(context);
  }

  /** Adds another application next to the first. */
  JerseyServlet and(String pattern, ResourceConfig application) {
    ServletHolder jersey = new ServletHolder(new ServletContainer(application));
    jersey.setInitOrder(2);
    context.addServlet(jersey, pattern);
    return this;
  }

  /** With this filter in front. */
  JerseyServlet behind(Filter filter) {
    context.addFilter(new FilterHolder(filter), "/*", EnumSet.allOf(DispatcherType.class));
    return this;
  }

  /** With this filter in front, made and configured by the container. */
  JerseyServlet behind(Class<? extends Filter> filter, Map<String, String> initParams) {
    FilterHolder holder = new FilterHolder(filter);
    holder.setName("weir");
    holder.setInitParameters(initParams);
    context.addFilter(holder, "/*", EnumSet.allOf(DispatcherType.class));
    return this;
  }

  JerseyServlet start() throws Exception {
    server.start();
    return this;
  }

  @Override
  public URI base() {
    return URI.create("http://127.0.0.1:" + server.getURI().getPort() + "/shop");
  }

  @Override
  public void close() {
    assertThatNoException().isThrownBy(server::stop);
  }
}
