package dev.weir.demo;

import dev.weir.jaxrs.RateLimited;
import jakarta.json.Json;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.PathParam;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.core.MediaType;

/** {@code GET /rest/reports/{id}}: a quota for each address and minute, by annotation. */
@Path("reports/{id}")
public final class ReportResource {

  @GET
  @RateLimited(limit = "20 per minute window", subject = "ip")
  @Produces(MediaType.APPLICATION_JSON)
  public String report(@PathParam("id") String id) {
    return Json.createObjectBuilder().add("report", id).build() + "\n";
  }
}
