package dev.weir.jaxrs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.weir.config.Weir;
import dev.weir.http.RawHttp;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.PathParam;
import java.io.IOException;
import org.junit.jupiter.api.Test;

/** Limits in place are called after their class and method, which may be called like others. */
class SameNamesTest {

  private static final String DAILY = "limits: { daily: 5 per day }";

  @Test
  void two_limits_in_place_that_would_be_called_the_same_are_refused() {
    try (Weir weir = Weir.of(DAILY)) {
      assertThatThrownBy(() -> JdkHttp.start(weir, First.Orders.class, Second.Orders.class))
          .hasStackTraceContaining("@RateLimited at " + SameNamesTest.class.getName())
          .hasStackTraceContaining("First$Orders.get()")
          .hasStackTraceContaining("Second$Orders.get()")
          .hasStackTraceContaining("called 'Orders.get'");
      assertThatThrownBy(() -> JdkHttp.start(weir, Overloaded.class))
          .hasStackTraceContaining("Overloaded.get()")
          .hasStackTraceContaining("Overloaded.get(java.lang.String)");
    }
  }

  @Test
  void classes_of_one_name_may_name_one_limit() throws IOException {
    try (Weir weir = Weir.of(DAILY);
        Server server = JdkHttp.start(weir, First.Named.class, Second.Named.class)) {
      RawHttp http = new RawHttp(server.base());
      assertThat(http.get("/first/named").field("RateLimit")).startsWith("\"daily\";r=4;");
      assertThat(http.get("/second/named").field("RateLimit")).startsWith("\"daily\";r=3;");
    }
  }

  @Test
  void heirs_share_the_limit_of_the_class_that_has_it() throws IOException {
    try (Weir weir = Weir.of(DAILY);
        Server server = JdkHttp.start(weir, First.Heir.class, Second.Heir.class)) {
      RawHttp http = new RawHttp(server.base());
      assertThat(http.get("/first/heir").field("RateLimit")).startsWith("\"Base\";r=8;");
      assertThat(http.get("/second/heir").field("RateLimit")).startsWith("\"Base\";r=7;");
    }
  }

  /** Where other classes of the same names are. */
  public static final class First {

    private First() {}

    @Path("first/orders")
    public static final class Orders {

      @GET
      @RateLimited(limit = "9 per hour", subject = "global")
      public String get() {
        return "passed";
      }
    }

    @Path("first/named")
    public static final class Named {

      @GET
      @RateLimited(value = "daily", subject = "global")
      public String get() {
        return "passed";
      }
    }

    @Path("first/heir")
    public static final class Heir extends Base {}
  }

  /** Where other classes of the same names are. */
  public static final class Second {

    private Second() {}

    @Path("second/orders")
    public static final class Orders {

      @GET
      @RateLimited(limit = "9 per hour", subject = "global")
      public String get() {
        return "passed";
      }
    }

    @Path("second/named")
    public static final class Named {

      @GET
      @RateLimited(value = "daily", subject = "global")
      public String get() {
        return "passed";
      }
    }

    @Path("second/heir")
    public static final class Heir extends Base {}
  }

  /** What others extend. */
  @RateLimited(limit = "9 per hour", subject = "global")
  public abstract static class Base {

    @GET
    public String get() {
      return "passed";
    }
  }

  @Path("/")
  public static final class Overloaded {

    @GET
    @RateLimited(limit = "9 per hour", subject = "global")
    public String get() {
      return "passed";
    }

    @GET
    @Path("{id}")
    @RateLimited(limit = "9 per hour", subject = "global")
    public String get(@PathParam("id") String id) {
      return id;
    }
  }
}
