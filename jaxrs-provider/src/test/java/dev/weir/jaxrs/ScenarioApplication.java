package dev.weir.jaxrs;

import jakarta.ws.rs.GET;
import jakarta.ws.rs.POST;
import jakarta.ws.rs.Path;
import org.glassfish.jersey.server.ResourceConfig;

/** The application of the HTTP scenarios: answers every path but those that are to be nowhere. */
final class ScenarioApplication {

  private ScenarioApplication() {}

  /** With whatever else is registered on it. */
  static ResourceConfig with(Object feature) {
    return new ResourceConfig(Anything.class).register(feature);
  }

  @Path("{path: (?!nowhere).*}")
  public static final class Anything {

    @GET
    public String get() {
      return "passed";
    }

    @POST
    public String post() {
      return "passed";
    }
  }
}
