package dev.weir.demo;

import jakarta.json.Json;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.PathParam;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.core.MediaType;

/** {@code GET /rest/reports/{id}}: limited here, by annotation. */
@Path("reports/{id}")
public final class ReportResource {

  @GET
  @Produces(MediaType.APPLICATION_JSON)
  public String report(@PathParam("id") String id) {
    return Json.createObjectBuilder().add("report", id).build() + "\n";
  }
}
