package dev.weir.jaxrs;

import jakarta.ws.rs.GET;
import jakarta.ws.rs.Path;

/** Of its methods one has no annotation, one names a rule, and one has a limit of its own. */
@Path("/")
public final class Resource {

  @GET
  @Path("plain")
  public String plain() {
    return "passed";
  }

  @GET
  @Path("named")
  @RateLimited("named")
  public String named() {
    return "passed";
  }

  @GET
  @Path("own")
  @RateLimited(limit = "2 per hour")
  public String own() {
    return "passed";
  }
}
