package dev.weir.jaxrs;

import com.sun.net.httpserver.HttpHandler;
import com.sun.net.httpserver.HttpServer;
import dev.weir.config.Weir;
import jakarta.ws.rs.container.ContainerRequestContext;
import jakarta.ws.rs.container.ContainerRequestFilter;
import jakarta.ws.rs.container.PreMatching;
import jakarta.ws.rs.ext.RuntimeDelegate;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.glassfish.jersey.server.ResourceConfig;

/** Jersey on the HTTP server of the JDK, which gives applications no address of the peer. */
final class JdkHttp implements Server {

  private static final ThreadLocal<String> PEER = new ThreadLocal<>();

  private final HttpServer server;
  private final ExecutorService executor = Executors.newFixedThreadPool(4);

  /** Starts these resources, limited without a function for the address. */
  static JdkHttp start(Weir weir, Class<?>... resources) throws IOException {
    return start(new ResourceConfig(resources).register(new RateLimitFeature(weir)));
  }

  static JdkHttp start(ResourceConfig application) throws IOException {
    return new JdkHttp(application.register(new Peer()));
  }

  private JdkHttp(ResourceConfig application) throws IOException {
    HttpHandler jersey =
        RuntimeDelegate.getInstance().createEndpoint(application, HttpHandler.class);
    server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.setExecutor(executor);
    server.createContext(
        "/",
        exchange -> {
          PEER.set(exchange.getRemoteAddress().getAddress().getHostAddress());
          try {
            jersey.handle(exchange);
          } finally {
            PEER.remove();
          }
        });
    server.start();
  }

  @Override
  public URI base() {
    return URI.create("http://127.0.0.1:" + server.getAddress().getPort());
  }

  @Override
  public void close() {
    server.stop(0);
    executor.shutdownNow();
  }

  @PreMatching
  @jakarta.annotation.Priority(1)
  private static final class Peer implements ContainerRequestFilter {

    @Override
    public void filter(ContainerRequestContext request) {
      request.setProperty(Server.class.getName(), PEER.get());
    }
  }
}
