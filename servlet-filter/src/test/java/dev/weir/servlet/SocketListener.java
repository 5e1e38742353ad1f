package dev.weir.servlet;

import jakarta.servlet.ServletContextEvent;
import jakarta.servlet.ServletContextListener;
import jakarta.websocket.DeploymentException;
import jakarta.websocket.Endpoint;
import jakarta.websocket.EndpointConfig;
import jakarta.websocket.Session;
import jakarta.websocket.server.ServerContainer;
import jakarta.websocket.server.ServerEndpointConfig;

/** Opens WebSockets at {@code /socket}, where the container has them. */
public final class SocketListener implements ServletContextListener {

  @Override
  public void contextInitialized(ServletContextEvent event) {
    Object container = event.getServletContext().getAttribute(ServerContainer.class.getName());
    if (container instanceof ServerContainer sockets) {
      try {
        sockets.addEndpoint(ServerEndpointConfig.Builder.create(Silent.class, "/socket").build());
      } catch (DeploymentException e) {
        throw new IllegalStateException(e);
      }
    }
  }

  /** An endpoint that says nothing. */
  public static final class Silent extends Endpoint {

    @Override
    public void onOpen(Session session, EndpointConfig config) {}
  }
}
