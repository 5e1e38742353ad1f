package dev.weir.servlet;

import static org.assertj.core.api.Assertions.assertThatNoException;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import jakarta.servlet.ServletException;
import java.net.URI;
import java.nio.file.Path;
import java.util.Objects;
import java.util.function.Consumer;
import org.eclipse.jetty.ee10.webapp.WebAppContext;
import org.eclipse.jetty.http.UriCompliance;
import org.eclipse.jetty.http2.server.HTTP2CServerConnectionFactory;
import org.eclipse.jetty.server.ConnectionFactory;
import org.eclipse.jetty.server.HttpConfiguration;
import org.eclipse.jetty.server.HttpConnectionFactory;
import org.eclipse.jetty.server.Server;
import org.eclipse.jetty.server.ServerConnector;
import org.eclipse.jetty.server.handler.ContextHandlerCollection;
import org.eclipse.jetty.unixdomain.server.UnixDomainServerConnector;
import org.jspecify.annotations.Nullable;

/** Jetty 12.1, Jakarta EE 10, with HTTP/1.1 and HTTP/2 in clear text. */
final class JettyContainer implements Container {

  private final Server server = new Server();
  private final ContextHandlerCollection contexts = new ContextHandlerCollection();
  private final ServerConnector connector;
  private final Consumer<WebAppContext> preparation;
  private @Nullable WebAppContext context;

  /** As it comes. */
  static JettyContainer start() throws Exception {
    return new JettyContainer(UriCompliance.DEFAULT, context -> {});
  }

  /** With something added to each application before it starts. */
  static JettyContainer startWith(Consumer<WebAppContext> preparation) throws Exception {
    return new JettyContainer(UriCompliance.DEFAULT, preparation);
  }

  /** Letting every path through, however ambiguous. */
  static JettyContainer startUnsafe() throws Exception {
    return new JettyContainer(UriCompliance.UNSAFE, context -> {});
  }

  private JettyContainer(UriCompliance compliance, Consumer<WebAppContext> preparation)
      throws Exception {
    this.preparation = preparation;
    HttpConfiguration configuration = new HttpConfiguration();
    configuration.setUriCompliance(compliance);
    connector =
        new ServerConnector(
            server,
            new HttpConnectionFactory(configuration),
            new HTTP2CServerConnectionFactory(configuration));
    connector.setHost("127.0.0.1");
    server.addConnector(connector);
    server.setHandler(contexts);
    server.start();
  }

  @Override
  public void deploy(WebApp app) throws Exception {
    WebAppContext starting = new WebAppContext(app.directory().toUri().toString(), CONTEXT_PATH);
    starting.setThrowUnavailableOnStartupException(true);
    context = starting;
    contexts.addHandler(starting);
    contexts.manage(starting);
    preparation.accept(starting);
    starting.start();
  }

  @Override
  public String failureOf(WebApp app) {
    return String.valueOf(
        catchThrowableOfType(ServletException.class, () -> deploy(app)).getMessage());
  }

  @Override
  public void undeploy() throws Exception {
    WebAppContext stopping = Objects.requireNonNull(context);
    stopping.stop();
    contexts.removeHandler(stopping);
    stopping.destroy();
    context = null;
  }

  @Override
  public void listenAt(Path socket) throws Exception {
    UnixDomainServerConnector unix =
        new UnixDomainServerConnector(
            server, connector.getConnectionFactories().toArray(ConnectionFactory[]::new));
    unix.setUnixDomainPath(socket);
    server.addConnector(unix);
    unix.start();
  }

  @Override
  public ClassLoader applicationClassLoader() {
    return Objects.requireNonNull(Objects.requireNonNull(context).getClassLoader());
  }

  @Override
  public String fileServlet() {
    return "org.eclipse.jetty.ee10.servlet.DefaultServlet";
  }

  @Override
  public URI base() {
    return URI.create("http://127.0.0.1:" + connector.getLocalPort() + CONTEXT_PATH);
  }

  @Override
  public void close() {
    assertThatNoException().isThrownBy(server::stop);
  }

  @Override
  public String toString() {
    return "Jetty";
  }
}
