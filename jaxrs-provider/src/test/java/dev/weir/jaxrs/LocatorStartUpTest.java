package dev.weir.jaxrs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.weir.config.Weir;
import dev.weir.http.RawHttp;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.Path;
import java.io.IOException;
import org.glassfish.jersey.server.ResourceConfig;
import org.glassfish.jersey.server.model.Resource;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What is wrong below a sub-resource locator is said when the application starts, if it can be. */
class LocatorStartUpTest {

  private static final String LOGIN =
      "rules: [{ name: login, match: annotations, subject: global, limits: [1 per hour] }]";

  @ParameterizedTest
  @ValueSource(
      classes = {ToObject.class, ToClass.class, ToInterface.class, Twice.class, InCircles.class})
  void a_misspelt_name_is_refused_wherever_return_types_lead(Class<?> resource) {
    try (Weir weir = Weir.of(LOGIN)) {
      assertThatThrownBy(() -> start(weir, resource))
          .hasStackTraceContaining("'logn'")
          .hasStackTraceContaining("did you mean 'login'?");
    }
  }

  @Test
  void a_resource_that_is_registered_as_an_object_is_looked_at_as_well() {
    try (Weir weir = Weir.of(LOGIN)) {
      ResourceConfig application =
          new ResourceConfig().register(new ToObject()).register(new RateLimitFeature(weir));
      assertThatThrownBy(() -> JdkHttp.start(application)).hasStackTraceContaining("'logn'");
    }
  }

  @Test
  void a_resource_that_the_server_does_not_count_among_what_is_registered_is_looked_at_as_well() {
    try (Weir weir = Weir.of(LOGIN)) {
      ResourceConfig application =
          new ResourceConfig()
              .registerResources(Resource.from(Twice.class))
              .register(new RateLimitFeature(weir));
      assertThatThrownBy(() -> JdkHttp.start(application)).hasStackTraceContaining("'logn'");
    }
  }

  @Test
  void a_limit_by_address_wants_to_be_told_the_address() {
    try (Weir weir = Weir.of(LOGIN)) {
      assertThatThrownBy(() -> start(weir, ToAddress.class))
          .hasStackTraceContaining("rule 'ByAddress.get'")
          .hasStackTraceContaining("RateLimitFeature.clientAddress");
    }
  }

  @Test
  void a_limit_on_the_locator_itself_would_limit_nothing_and_is_refused() {
    try (Weir weir = Weir.of(LOGIN)) {
      assertThatThrownBy(() -> start(weir, Limited.class))
          .hasStackTraceContaining("@RateLimited at " + Limited.class.getName() + ".below()")
          .hasStackTraceContaining("on a sub-resource locator (expected: on what it leads to)");
    }
  }

  @Test
  void locators_that_lead_in_circles_to_what_is_right_start() throws IOException {
    try (Weir weir = Weir.of(LOGIN);
        Server server = start(weir, Right.class)) {
      RawHttp http = new RawHttp(server.base());
      assertThat(http.get("/again/again").field("RateLimit")).startsWith("\"login\";r=0;");
      assertThat(http.get("/again").status()).isEqualTo(429);
    }
  }

  private static Server start(Weir weir, Class<?> resource) throws IOException {
    return JdkHttp.start(new ResourceConfig(resource).register(new RateLimitFeature(weir)));
  }

  @Path("/")
  public static final class ToObject {

    @Path("below")
    public Misspelt below() {
      return new Misspelt();
    }
  }

  @Path("/")
  public static final class ToClass {

    @Path("below")
    public Class<Misspelt> below() {
      return Misspelt.class;
    }
  }

  @Path("/")
  public static final class ToInterface {

    @Path("below")
    public Api below() {
      return () -> "passed";
    }
  }

  @Path("/")
  public static final class Twice {

    @GET
    public String get() {
      return "passed";
    }

    @Path("below")
    public ToObject below() {
      return new ToObject();
    }
  }

  @Path("/")
  public static final class InCircles {

    @Path("again")
    public InCircles again() {
      return this;
    }

    @Path("below")
    public Misspelt below() {
      return new Misspelt();
    }
  }

  @Path("/")
  public static final class ToAddress {

    @Path("below")
    public ByAddress below() {
      return new ByAddress();
    }
  }

  @Path("/")
  public static final class Limited {

    @Path("below")
    @RateLimited("login")
    public Misspelt below() {
      return new Misspelt();
    }
  }

  @Path("/")
  public static final class Right {

    @GET
    @RateLimited("login")
    public String get() {
      return "passed";
    }

    @Path("again")
    public Right again() {
      return this;
    }
  }

  /** What a lambda may be. */
  public interface Api {

    @GET
    @RateLimited("logn")
    String get();
  }

  public static final class Misspelt {

    @GET
    @RateLimited("logn")
    public String get() {
      return "passed";
    }
  }

  public static final class ByAddress {

    @GET
    @RateLimited(limit = "1 per hour")
    public String get() {
      return "passed";
    }
  }
}
