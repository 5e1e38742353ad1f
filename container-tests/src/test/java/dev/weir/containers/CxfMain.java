package dev.weir.containers;

import dev.weir.jaxrs.RateLimitFeature;
import jakarta.ws.rs.ext.RuntimeDelegate;
import org.apache.cxf.endpoint.Server;
import org.apache.cxf.jaxrs.JAXRSServerFactoryBean;

/** Runs the application of the scenarios in CXF, on its transport by Jetty. */
public final class CxfMain {

  private CxfMain() {}

  /** The port. */
  public static void main(String[] args) {
    RateLimitFeature feature = new RateLimitFeature();
    JAXRSServerFactoryBean factory =
        RuntimeDelegate.getInstance()
            .createEndpoint(new LimitedScenarios(feature), JAXRSServerFactoryBean.class);
    factory.setAddress("http://127.0.0.1:" + args[0] + "/");
    Server server = factory.create();
    Stopping.by(server::destroy, feature);
  }
}
