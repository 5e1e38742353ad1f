package dev.weir.containers;

import dev.weir.jaxrs.RateLimitFeature;
import org.jboss.resteasy.plugins.server.undertow.UndertowJaxrsServer;

/** Runs the application of the scenarios in RESTEasy, as its embedded server does. */
public final class RestEasyMain {

  private RestEasyMain() {}

  /** The port. */
  public static void main(String[] args) {
    UndertowJaxrsServer server = new UndertowJaxrsServer();
    server.setHostname("127.0.0.1");
    server.setPort(Integer.parseInt(args[0]));
    RateLimitFeature feature = new RateLimitFeature();
    server.start();
    server.deploy(new LimitedScenarios(feature), "/shop");
    Stopping.by(server::stop, feature);
  }
}
