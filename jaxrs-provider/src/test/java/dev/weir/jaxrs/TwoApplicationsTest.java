package dev.weir.jaxrs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.weir.config.Weir;
import dev.weir.http.RawHttp;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.Path;
import org.glassfish.jersey.server.ResourceConfig;
import org.junit.jupiter.api.Test;

/** Two JAX-RS applications in one WAR are one Weir: what is called the same there is the same. */
class TwoApplicationsTest {

  @Test
  void a_resource_of_both_has_one_counter() throws Exception {
    try (Weir weir = Weir.of("nodes: 1");
        JerseyServlet server = servers(First.Orders.class, First.Orders.class).start()) {
      assertThat(weir.rules()).isEmpty();
      RawHttp http = new RawHttp(server.base());
      assertThat(http.get("/one").field("RateLimit")).startsWith("\"Orders.get\";r=8;");
      assertThat(http.get("/two").field("RateLimit")).startsWith("\"Orders.get\";r=7;");
    }
  }

  @Test
  void two_resources_of_one_name_are_refused_as_in_one_application() {
    try (Weir weir = Weir.of("nodes: 1");
        JerseyServlet server = servers(First.Orders.class, Second.Orders.class)) {
      assertThat(weir.rules()).isEmpty();
      assertThatThrownBy(server::start)
          .hasStackTraceContaining("First$Orders.get()")
          .hasStackTraceContaining("'9 per hour' of @RateLimited at " + Second.class.getName())
          .hasStackTraceContaining("is called 'Orders.get'");
    }
  }

  @Test
  void two_resources_of_one_name_may_name_one_limit() throws Exception {
    try (Weir weir = Weir.of("limits: { daily: 5 per day }");
        JerseyServlet server = servers(First.Named.class, Second.Named.class).start()) {
      assertThat(weir.rules()).isEmpty();
      RawHttp http = new RawHttp(server.base());
      assertThat(http.get("/one").field("RateLimit")).startsWith("\"daily\";r=4;");
      assertThat(http.get("/two").field("RateLimit")).startsWith("\"daily\";r=3;");
    }
  }

  private static JerseyServlet servers(Class<?> one, Class<?> two) {
    return JerseyServlet.at("/one/*", application(one)).and("/two/*", application(two));
  }

  private static ResourceConfig application(Class<?> resource) {
    return new ResourceConfig(resource).register(RateLimitFeature.class);
  }

  /** Where other classes of the same names are. */
  public static final class First {

    private First() {}

    @Path("/")
    public static final class Orders {

      @GET
      @RateLimited(limit = "9 per hour")
      public String get() {
        return "passed";
      }
    }

    @Path("/")
    public static final class Named {

      @GET
      @RateLimited("daily")
      public String get() {
        return "passed";
      }
    }
  }

  /** Where other classes of the same names are. */
  public static final class Second {

    private Second() {}

    @Path("/")
    public static final class Orders {

      @GET
      @RateLimited(limit = "9 per hour")
      public String get() {
        return "passed";
      }
    }

    @Path("/")
    public static final class Named {

      @GET
      @RateLimited("daily")
      public String get() {
        return "passed";
      }
    }
  }
}
