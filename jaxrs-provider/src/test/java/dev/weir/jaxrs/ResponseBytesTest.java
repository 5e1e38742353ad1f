package dev.weir.jaxrs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.weir.config.Weir;
import dev.weir.http.Answer;
import dev.weir.http.RawHttp;
import dev.weir.servlet.RateLimitFilter;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.NotFoundException;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.PathParam;
import jakarta.ws.rs.core.Response;
import jakarta.ws.rs.core.StreamingOutput;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.glassfish.jersey.message.GZipEncoder;
import org.glassfish.jersey.server.ResourceConfig;
import org.glassfish.jersey.server.filter.EncodingFilter;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What an entity weighs as it is sent is what it costs, however it is written. */
class ResponseBytesTest {

  private static final int LIMIT = 10_000_000;
  private static final List<String> WAYS = List.of("/text", "/nothing", "/stream", "/missing");
  private static final String ANNOTATION = "traffic";

  private final Weir byFile =
      Weir.of(
          """
          limits: { traffic: 10 MB per day window }
          rules:
            - name: traffic
              match: /**
              subject: global
              limits: [traffic]
              cost: { response: bytes, reserve: 1 }
          """);
  private final Weir byAnnotation =
      Weir.of(
          """
          limits: { running: 1 concurrent, traffic: 250 kB per day window }
          rules:
            - { name: running, match: /**, subject: global, limits: [running] }
            - { name: traffic, match: annotations, subject: global, limits: [traffic], cost: response bytes }
          """);

  @AfterEach
  void close() {
    byFile.close();
    byAnnotation.close();
  }

  @ParameterizedTest
  @EnumSource(ServerKind.class)
  void what_arrives_is_what_it_costs(ServerKind kind) throws Exception {
    try (Server server = kind.start(application(byFile, Plain.class))) {
      assertCosts(new RawHttp(server.base()), kind);
    }
  }

  /** The rules of the file are decided first, and want to know the end but not the bytes. */
  @ParameterizedTest
  @EnumSource(ServerKind.class)
  void an_annotation_may_ask_for_the_bytes_of_what_others_count(ServerKind kind) throws Exception {
    try (Server server = kind.start(application(byAnnotation, Annotated.class))) {
      RawHttp http = new RawHttp(server.base());
      for (int i = 0; i < 3; i++) {
        await().until(() -> http.get(kind.path("/text")).status() == 200);
      }
      await().until(() -> http.get(kind.path("/stream")).status() == 200);
      await().until(() -> http.get(kind.path("/text")).body().contains("\"traffic\""));
    }
  }

  @ParameterizedTest
  @EnumSource(
      value = ServerKind.class,
      names = {"SERVLET", "SERVLET_BELOW_A_PATH"})
  void behind_a_filter_it_is_counted_once(ServerKind kind) throws Exception {
    ResourceConfig application = application(byFile, Plain.class);
    try (Server server =
        JerseyServlet.at(kind.path("/*"), application)
            .behind(new RateLimitFilter(byFile))
            .start()) {
      assertCosts(new RawHttp(server.base()), kind);
    }
  }

  @ParameterizedTest
  @EnumSource(ServerKind.class)
  void compressed_it_costs_what_it_was(ServerKind kind) throws Exception {
    ResourceConfig application = application(byFile, Plain.class);
    EncodingFilter.enableFor(application, GZipEncoder.class);
    try (Server server = kind.start(application)) {
      RawHttp http = new RawHttp(server.base());
      Answer answer = http.get(kind.path("/stream"), "Accept-Encoding: gzip");
      assertThat(answer.field("Content-Encoding")).isEqualTo("gzip");
      awaitSpent(http, kind, Answers.LARGE, "compressed");
    }
  }

  private static void assertCosts(RawHttp http, ServerKind kind) {
    long spent = 0;
    for (String way : WAYS) {
      long arrived = size(http.get(kind.path(way)));
      spent += way.equals("/missing") ? 0 : arrived; // what the container says of it is its own
      awaitSpent(http, kind, spent, way);
      http.send("HEAD", kind.path(way));
      awaitSpent(http, kind, spent, "HEAD " + way);
    }
  }

  private static void awaitSpent(RawHttp http, ServerKind kind, long spent, String what) {
    await()
        .untilAsserted(
            () -> assertThat(remaining(http, kind)).as(what).isEqualTo(LIMIT - spent - 1));
  }

  private static long remaining(RawHttp http, ServerKind kind) {
    String field = http.get(kind.path("/nothing")).field("RateLimit");
    return Long.parseLong(field.replaceAll("^.traffic.;r=([0-9]+);.*", "$1"));
  }

  private static long size(Answer answer) {
    return answer.body().getBytes(StandardCharsets.UTF_8).length;
  }

  private static ResourceConfig application(Weir weir, Class<?> resource) {
    RateLimitFeature feature = new RateLimitFeature(weir).clientAddress(Server::peerAddress);
    return new ResourceConfig(resource).register(feature);
  }

  /** Writes in several ways; the way is the path. */
  public abstract static class Answers {

    static final int LARGE = 300_000;

    @GET
    @Path("{way}")
    public Response answer(@PathParam("way") String way) {
      return switch (way) {
        case "text" -> Response.ok("\u00e4\u20ac and so on", "text/plain;charset=UTF-8").build();
        case "stream" -> Response.ok((StreamingOutput) Answers::stream, "text/plain").build();
        case "missing" -> throw new NotFoundException();
        default -> Response.noContent().build();
      };
    }

    private static void stream(OutputStream out) throws IOException {
      out.write('x');
      out.write(new byte[LARGE - 1]);
    }
  }

  /** Limited by the file. */
  @Path("/")
  public static final class Plain extends Answers {}

  /** Limited where it stands. */
  @Path("/")
  @RateLimited(ANNOTATION)
  public static final class Annotated extends Answers {}
}
