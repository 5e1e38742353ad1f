package dev.weir.jaxrs;

import jakarta.annotation.Priority;
import jakarta.inject.Inject;
import jakarta.inject.Provider;
import jakarta.ws.rs.container.ContainerRequestContext;
import jakarta.ws.rs.container.ContainerRequestFilter;
import jakarta.ws.rs.container.PreMatching;
import java.net.URI;
import org.glassfish.grizzly.http.server.HttpServer;
import org.glassfish.grizzly.http.server.Request;
import org.glassfish.jersey.grizzly2.httpserver.GrizzlyHttpServerFactory;
import org.glassfish.jersey.server.ResourceConfig;

/** Jersey on Grizzly. */
final class Grizzly implements Server {

  private final HttpServer server;

  static Grizzly start(ResourceConfig application) {
    return start("/", application);
  }

  /** Starts it at an address with this path. */
  static Grizzly start(String path, ResourceConfig application) {
    return new Grizzly(path, application.register(Peer.class));
  }

  private Grizzly(String path, ResourceConfig application) {
    server =
        GrizzlyHttpServerFactory.createHttpServer(
            URI.create("http://127.0.0.1:0" + path), application);
  }

  @Override
  public URI base() {
    return URI.create("http://127.0.0.1:" + server.getListeners().iterator().next().getPort());
  }

  @Override
  public void close() {
    server.shutdownNow();
  }

  @PreMatching
  @Priority(1)
  static final class Peer implements ContainerRequestFilter {

    private final Provider<Request> peer;

    @Inject
    Peer(Provider<Request> peer) {
      this.peer = peer;
    }

    @Override
    public void filter(ContainerRequestContext request) {
      request.setProperty(Server.class.getName(), peer.get().getRemoteAddr());
    }
  }
}
