package com.example;

import dev.weir.jaxrs.RateLimited;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.POST;
import jakarta.ws.rs.Path;

/** A resource with one limited method. */
@Path("login")
public class Logins {

  @GET
  public String form() {
    return "who are you?";
  }

  @POST
  @RateLimited("login") // a limit of weir.yaml, for each address
  public String login() {
    return "welcome";
  }
}
