package dev.weir.jaxrs;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.config.Weir;
import dev.weir.http.RawHttp;
import dev.weir.servlet.RateLimitFilter;
import jakarta.ws.rs.ForbiddenException;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.container.AsyncResponse;
import jakarta.ws.rs.container.Suspended;
import jakarta.ws.rs.core.Response;
import jakarta.ws.rs.ext.ExceptionMapper;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.glassfish.jersey.server.ResourceConfig;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** However JAX-RS comes to a response, its status tells whether it is charged for. */
class ResponseEndTest {

  private static final String CONFIGURATION =
      """
      limits: { failures: 1 per day }
      rules:
        - { name: all, match: /**, subject: global, limits: [1000 per second] }
        - { name: failures, subject: global, limits: [failures], count: [401, 403, 5xx] }
        - { name: guarded, match: /guarded, subject: global, limits: [1 per day], count: [503] }
      """;

  private final Weir weir = Weir.of(CONFIGURATION);

  @AfterEach
  void close() {
    weir.close();
  }

  @ParameterizedTest
  @EnumSource(ServerKind.class)
  void what_counts_is_charged_and_what_does_not_is_given_back(ServerKind kind) throws Exception {
    try (Server server = kind.start(application())) {
      RawHttp http = new RawHttp(server.base());
      for (String free : new String[] {"/fine", "/resumed/fine", "/teapot"}) {
        assertThat(http.get(kind.path(free)).isDenied()).as(free).isFalse();
        assertThat(http.get(kind.path(free)).isDenied()).as(free + " again").isFalse();
      }
      assertThat(http.get(kind.path("/resumed/forbidden")).status()).isEqualTo(403);
      assertThat(http.get(kind.path("/fine")).status()).isEqualTo(429);
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"/forbidden", "/mapped", "/unmapped", "/late"})
  void exceptions_and_time_outs_have_a_status_too(String path) throws Exception {
    try (Server server = JdkHttp.start(application())) {
      RawHttp http = new RawHttp(server.base());
      assertThat(http.get(path).status()).isIn(401, 403, 500, 503);
      assertThat(http.get("/fine").status()).isEqualTo(429);
    }
  }

  @Test
  void what_another_rule_denies_is_given_back() throws Exception {
    try (Server server = JdkHttp.start(application())) {
      RawHttp http = new RawHttp(server.base());
      assertThat(http.get("/forbidden").status()).isEqualTo(403);
      for (int i = 0; i < 3; i++) {
        assertThat(http.get("/guarded").body()).contains("\"failures\"").doesNotContain("guarded");
      }
    }
  }

  @Test
  void behind_a_filter_that_wants_to_know_the_filter_tells_for_both() throws Exception {
    ResourceConfig application = application();
    try (Server server =
        JerseyServlet.at("/*", application).behind(new RateLimitFilter(weir)).start()) {
      RawHttp http = new RawHttp(server.base());
      for (int i = 0; i < 3; i++) {
        assertThat(http.get("/guarded").status()).isEqualTo(200);
      }
      assertThat(http.get("/resumed/forbidden").status()).isEqualTo(403);
      assertThat(http.get("/guarded").status()).isEqualTo(429);
    }
  }

  private ResourceConfig application() {
    RateLimitFeature feature = new RateLimitFeature(weir).clientAddress(Server::peerAddress);
    return new ResourceConfig(Answers.class, Mapper.class).register(feature);
  }

  @Path("/")
  @RateLimited("failures")
  public static final class Answers {

    @GET
    @Path("fine")
    public String fine() {
      return "fine";
    }

    @GET
    @Path("guarded")
    public String guarded() {
      return "fine";
    }

    @GET
    @Path("teapot")
    public Response teapot() {
      return Response.status(418).build();
    }

    @GET
    @Path("forbidden")
    public String forbidden() {
      throw new ForbiddenException();
    }

    @GET
    @Path("mapped")
    public String mapped() {
      throw new IllegalStateException("a password that is wrong");
    }

    @GET
    @Path("unmapped")
    public String unmapped() {
      throw new UnsupportedOperationException("a bug");
    }

    @GET
    @Path("resumed/fine")
    public void resumed(@Suspended AsyncResponse response) {
      CompletableFuture.runAsync(() -> response.resume("fine"));
    }

    @GET
    @Path("resumed/forbidden")
    public void resumedForbidden(@Suspended AsyncResponse response) {
      CompletableFuture.runAsync(() -> response.resume(new ForbiddenException()));
    }

    @GET
    @Path("late")
    public void late(@Suspended AsyncResponse response) {
      response.setTimeout(1, TimeUnit.MILLISECONDS);
    }
  }

  /** The application's own way to answer. */
  public static final class Mapper implements ExceptionMapper<IllegalStateException> {

    @Override
    public Response toResponse(IllegalStateException exception) {
      return Response.status(401).build();
    }
  }
}
