package dev.weir.jaxrs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.weir.config.Weir;
import dev.weir.http.RawHttp;
import dev.weir.servlet.RateLimitFilter;
import jakarta.ws.rs.ForbiddenException;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.PathParam;
import jakarta.ws.rs.container.AsyncResponse;
import jakarta.ws.rs.container.Suspended;
import jakarta.ws.rs.core.Response;
import jakarta.ws.rs.ext.ExceptionMapper;
import java.util.concurrent.TimeUnit;
import org.glassfish.jersey.server.ResourceConfig;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** The status of a response decides whether it is charged for, however JAX-RS creates it. */
class ResponseEndTest {

  private static final String CONFIGURATION =
      """
      limits: { failures: 1 per day }
      rules:
        - { name: all, match: /**, subject: global, limits: [1000 per second] }
        - { name: failures, match: annotations, subject: global, limits: [failures], count: [401, 403, 503] }
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
      for (String free : new String[] {"/fine", "/teapot"}) {
        assertThat(http.get(kind.path(free)).isDenied()).as(free).isFalse();
        assertThat(http.get(kind.path(free)).isDenied()).as(free + " again").isFalse();
      }
      assertThat(http.get(kind.path("/forbidden")).status()).isEqualTo(403);
      assertThat(http.get(kind.path("/fine")).status()).isEqualTo(429);
    }
  }

  @Test
  void what_is_resumed_by_another_thread_has_a_status_too() {
    try (Server server = Grizzly.start(application())) {
      RawHttp http = new RawHttp(server.base());
      for (int i = 0; i < 3; i++) {
        assertThat(http.get("/resumed/fine").status()).isEqualTo(200);
      }
      assertThat(http.get("/resumed/forbidden").status()).isEqualTo(403);
      assertThat(http.get("/resumed/fine").status()).isEqualTo(429);
    }
  }

  /** Jersey fails first, and then creates a response for code that asks for one. */
  @ParameterizedTest
  @EnumSource(ServerKind.class)
  void an_exception_that_nobody_maps_has_the_status_of_the_default(ServerKind kind)
      throws Exception {
    try (Server server = kind.start(application())) {
      RawHttp http = new RawHttp(server.base());
      for (int i = 0; i < 3; i++) {
        await().until(() -> http.get(kind.path("/unmapped")).status() == 500);
      }
    }
  }

  @ParameterizedTest
  @CsvSource({"/forbidden, 403", "/mapped, 401", "/late, 503"})
  void exceptions_and_time_outs_count_by_their_status(String path, int status) {
    try (Server server = Grizzly.start(application())) {
      RawHttp http = new RawHttp(server.base());
      assertThat(http.get(path).status()).isEqualTo(status);
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
        await().until(() -> http.get("/guarded").isPassed());
      }
      await().until(() -> http.get("/forbidden").status() == 403);
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
    @Path("{how}")
    public Response answer(@PathParam("how") String how) {
      return switch (how) {
        case "teapot" -> Response.status(418).build();
        case "forbidden" -> throw new ForbiddenException();
        case "mapped" -> throw new IllegalStateException("a password that is wrong");
        case "unmapped" -> throw new UnsupportedOperationException("a bug");
        default -> Response.ok("fine").build();
      };
    }

    @GET
    @Path("resumed/{how}")
    public void resume(@PathParam("how") String how, @Suspended AsyncResponse response) {
      Object answer = how.equals("forbidden") ? new ForbiddenException() : "fine";
      new Thread(() -> resume(answer, response)).start();
    }

    private static void resume(Object answer, AsyncResponse response) {
      if (answer instanceof Throwable failure) {
        response.resume(failure);
      } else {
        response.resume(answer);
      }
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
