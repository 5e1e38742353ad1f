package dev.weir.demo;

import java.io.File;
import org.eclipse.jetty.ee10.webapp.WebAppContext;
import org.eclipse.jetty.server.Server;
import org.eclipse.jetty.server.ServerConnector;

/** Jetty 12.1 with one WAR: {@code JettyMain <war> <context path> <work directory>}. */
final class JettyMain {

  private JettyMain() {}

  public static void main(String[] arguments) throws Exception {
    Server server = new Server();
    ServerConnector connector = new ServerConnector(server);
    connector.setHost("127.0.0.1");
    server.addConnector(connector);
    WebAppContext context = new WebAppContext(arguments[0], arguments[1]);
    context.setTempDirectory(new File(arguments[2]));
    context.setThrowUnavailableOnStartupException(true);
    server.setHandler(context);
    server.start();
    System.out.println(DeployedWar.READY + connector.getLocalPort());
  }
}
