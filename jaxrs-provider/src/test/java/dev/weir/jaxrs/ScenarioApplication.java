package dev.weir.jaxrs;

import dev.weir.http.spi.RequestLimiter;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.POST;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.PathParam;
import jakarta.ws.rs.container.ContainerRequestContext;
import jakarta.ws.rs.container.ContainerResponseContext;
import jakarta.ws.rs.container.ContainerResponseFilter;
import jakarta.ws.rs.core.Response;
import org.glassfish.jersey.server.ResourceConfig;

/** The application of the HTTP scenarios: answers every path but those that are to be nowhere. */
final class ScenarioApplication {

  private ScenarioApplication() {}

  /** With whatever else is registered on it. */
  static ResourceConfig with(Object feature) {
    return new ResourceConfig(Anything.class, WithStatus.class, Degraded.class).register(feature);
  }

  @Path("with/{status: [0-9]+}/{rest}")
  public static final class WithStatus {

    @GET
    public Response get(@PathParam("status") int status) {
      return Response.status(status).entity("passed").build();
    }
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

  /**
   * Reports the degradation in the entity. A resource cannot, because only Jersey injects the
   * request into one.
   */
  public static final class Degraded implements ContainerResponseFilter {

    @Override
    public void filter(ContainerRequestContext request, ContainerResponseContext response) {
      Object degradedBy = request.getProperty(RequestLimiter.DEGRADED);
      if (degradedBy != null) {
        response.setEntity("passed, degraded by " + degradedBy);
      }
    }
  }
}
