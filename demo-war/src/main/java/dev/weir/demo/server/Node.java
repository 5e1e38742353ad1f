package dev.weir.demo.server;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Map;
import org.eclipse.jetty.ee10.webapp.WebAppContext;
import org.eclipse.jetty.server.Handler;
import org.eclipse.jetty.server.HttpConfiguration;
import org.eclipse.jetty.server.HttpConnectionFactory;
import org.eclipse.jetty.server.Server;
import org.eclipse.jetty.server.ServerConnector;
import org.eclipse.jetty.util.component.LifeCycle;
import org.eclipse.jetty.util.thread.QueuedThreadPool;

/**
 * One server with one copy of the application. Nodes share none of its classes: each has a class
 * loader of its own, as if it ran alone.
 */
final class Node implements AutoCloseable {

  /** Not every interface: only this machine's user may use the demo, which can even kill Redis. */
  static final String ADDRESS = "127.0.0.1";

  private static final int MOST_THREADS = 64;

  private final Server server;
  private final ServerConnector connector;
  private final int port;

  private Node(Server server, ServerConnector connector, int port) {
    this.server = server;
    this.connector = connector;
    this.port = port;
  }

  /** Opens the port before anything else starts. */
  static Node open(int port) throws IOException {
    QueuedThreadPool threads = new QueuedThreadPool(MOST_THREADS);
    threads.setName("node-" + port);
    Server server = new Server(threads);
    HttpConfiguration http = new HttpConfiguration();
    http.setSendServerVersion(false);
    ServerConnector connector = new ServerConnector(server, new HttpConnectionFactory(http));
    connector.setHost(ADDRESS);
    connector.setPort(port);
    server.addConnector(connector);
    connector.open();
    return new Node(server, connector, port);
  }

  String origin() {
    return "http://localhost:" + port;
  }

  int port() {
    return port;
  }

  /** Starts the application, behind the demo's own handlers. */
  void start(Path war, Map<String, String> parameters, Handler... first) throws Exception {
    WebAppContext application = new WebAppContext();
    application.setContextPath("/");
    application.setBaseResourceAsPath(war);
    application.setTempDirectory(war.resolve("WEB-INF/server/node-" + port).toFile());
    application.setThrowUnavailableOnStartupException(true);
    application.setInitParameter("org.eclipse.jetty.servlet.Default.dirAllowed", "false");
    parameters.forEach(application::setInitParameter);
    Handler.Sequence handlers = new Handler.Sequence(new HostGuard());
    for (Handler each : first) {
      handlers.addHandler(each);
    }
    handlers.addHandler(application);
    server.setHandler(handlers);
    server.start();
  }

  @Override
  public void close() {
    LifeCycle.stop(server);
    connector.close();
    server.destroy();
  }
}
