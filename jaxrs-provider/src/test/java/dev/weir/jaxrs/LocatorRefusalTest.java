package dev.weir.jaxrs;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.config.Weir;
import dev.weir.fixture.LogCapture;
import dev.weir.http.RawHttp;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.Path;
import java.util.Objects;
import java.util.logging.Level;
import org.glassfish.jersey.server.ResourceConfig;
import org.glassfish.jersey.server.model.Resource;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * A wrong resource that no return type shows is found only when it is reached. It then lets no
 * request through.
 */
class LocatorRefusalTest {

  private static final String LOGIN =
      "rules: [{ name: login, match: annotations, subject: global, limits: [1 per hour] }]";

  private final Weir weir = Weir.of(LOGIN);
  private @Nullable Server server;

  @BeforeEach
  void start() throws Exception {
    ResourceConfig application = new ResourceConfig(Anywhere.class);
    server = JdkHttp.start(application.register(new RateLimitFeature(weir)));
  }

  @AfterEach
  void stop() {
    Objects.requireNonNull(server).close();
    weir.close();
  }

  @Test
  void what_cannot_be_bound_is_refused_with_503_and_told_once() {
    try (LogCapture log = new LogCapture(RateLimitBinding.class)) {
      for (String path : new String[] {"/object", "/object", "/model", "/model"}) {
        assertThat(http().get(path).status()).as(path).isEqualTo(503);
      }
      assertThat(log.records())
          .singleElement()
          .satisfies(
              record -> {
                assertThat(record.getLevel()).isEqualTo(Level.SEVERE);
                assertThat(record.getParameters())
                    .anySatisfy(part -> assertThat(part).asString().endsWith("Mixed.wrong()"))
                    .anySatisfy(part -> assertThat(part).asString().contains("'logn'"));
              });
    }
  }

  @Test
  void what_can_be_bound_beside_it_is_limited() {
    assertThat(http().get("/object/right").field("RateLimit")).startsWith("\"login\";r=0;");
    assertThat(http().get("/object/right").status()).isEqualTo(429);
    assertThat(http().get("/object/free").status()).isEqualTo(200);
  }

  private RawHttp http() {
    return new RawHttp(Objects.requireNonNull(server).base());
  }

  /** Does not say where it leads. */
  @Path("/")
  public static final class Anywhere {

    @Path("object")
    public Object object() {
      return new Mixed();
    }

    /** Jersey builds this anew for every request. */
    @Path("model")
    public Object model() {
      return Resource.from(Mixed.class);
    }
  }

  public static final class Mixed {

    @GET
    @RateLimited("logn")
    public String wrong() {
      return "passed";
    }

    @GET
    @Path("right")
    @RateLimited("login")
    public String right() {
      return "passed";
    }

    @GET
    @Path("free")
    public String free() {
      return "passed";
    }
  }
}
