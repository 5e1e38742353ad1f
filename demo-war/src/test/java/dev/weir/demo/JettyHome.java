package dev.weir.demo;

import java.net.URI;
import java.nio.file.Path;
import org.eclipse.jetty.ee10.webapp.WebAppContext;
import org.eclipse.jetty.server.Server;
import org.eclipse.jetty.server.ServerConnector;
import org.eclipse.jetty.util.component.LifeCycle;

/** Jetty 12.1. */
final class JettyHome implements Deployed {

  private final Server server = new Server();
  private final ServerConnector connector = new ServerConnector(server);

  JettyHome(Path directory) {
    connector.setHost("127.0.0.1");
    server.addConnector(connector);
    WebAppContext context = new WebAppContext(DemoProcess.war().toString(), CONTEXT_PATH);
    context.setTempDirectory(directory.resolve("jetty").toFile());
    context.setThrowUnavailableOnStartupException(true);
    server.setHandler(context);
    LifeCycle.start(server);
  }

  @Override
  public URI base() {
    return URI.create("http://127.0.0.1:" + connector.getLocalPort() + CONTEXT_PATH);
  }

  @Override
  public void close() {
    LifeCycle.stop(server);
  }
}
