package dev.weir.containers;

import dev.weir.jaxrs.RateLimitFeature;
import jakarta.ws.rs.ext.RuntimeDelegate;
import org.apache.cxf.endpoint.Server;
import org.apache.cxf.jaxrs.JAXRSServerFactoryBean;

/** Runs the application of the scenarios in CXF, on the transport that is on its class path. */
public final class CxfMain {

  private CxfMain() {}

  /** The port, and the path of the address. */
  public static void main(String[] args) {
    RateLimitFeature feature = new RateLimitFeature();
    JAXRSServerFactoryBean factory =
        RuntimeDelegate.getInstance()
            .createEndpoint(new LimitedScenarios(feature), JAXRSServerFactoryBean.class);
    factory.setAddress("http://127.0.0.1:" + args[0] + args[1]);
    Server server = factory.create();
    Stopping.by(server::destroy, feature);
  }
}
