package dev.weir.jaxrs;

import dev.weir.config.Weir;
import dev.weir.http.RawHttp;
import java.io.IOException;
import org.glassfish.jersey.server.ResourceConfig;

/** An application on the server of the JDK, and what limits it. */
record LimitedApplication(Weir weir, Server server) implements AutoCloseable {

  static LimitedApplication start(String configuration, Class<?>... components) throws IOException {
    Weir weir = Weir.of(configuration);
    RateLimitFeature feature = new RateLimitFeature(weir).clientAddress(Server::peerAddress);
    return new LimitedApplication(
        weir, JdkHttp.start(new ResourceConfig(components).register(feature)));
  }

  RawHttp http() {
    return new RawHttp(server.base());
  }

  @Override
  public void close() {
    server.close();
    weir.close();
  }
}
