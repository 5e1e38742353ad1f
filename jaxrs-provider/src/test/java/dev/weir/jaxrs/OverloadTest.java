package dev.weir.jaxrs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.weir.config.Weir;
import dev.weir.fixture.Full;
import dev.weir.http.RawHttp;
import dev.weir.servlet.RateLimitFilter;
import jakarta.ws.rs.ForbiddenException;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.PathParam;
import jakarta.ws.rs.core.Response;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.glassfish.jersey.server.ResourceConfig;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A request takes one place of the node from its match to the end of its response. */
@Full
class OverloadTest {

  private static final List<String> WAYS = List.of("/fine", "/forbidden", "/nothing", "/a/b/c");
  private static volatile CountDownLatch inside = new CountDownLatch(1);
  private static volatile CountDownLatch end = new CountDownLatch(1);

  private final ExecutorService client = Executors.newSingleThreadExecutor();
  private final Weir weir = Weir.of("overload: { in-flight: { from: 1, to: 1 } }");

  @AfterEach
  void close() {
    end.countDown();
    client.shutdown();
    weir.close();
  }

  @ParameterizedTest
  @EnumSource(ServerKind.class)
  void there_is_one_place(ServerKind kind) throws Exception {
    try (Server server = kind.start(application())) {
      assertOnePlace(new RawHttp(server.base()), kind);
    }
  }

  @ParameterizedTest
  @EnumSource(
      value = ServerKind.class,
      names = {"SERVLET", "SERVLET_BELOW_A_PATH"})
  void behind_a_filter_a_request_takes_one_place_too(ServerKind kind) throws Exception {
    try (Server server =
        JerseyServlet.at(kind.path("/*"), application())
            .behind(new RateLimitFilter(weir))
            .start()) {
      assertOnePlace(new RawHttp(server.base()), kind);
    }
  }

  private void assertOnePlace(RawHttp http, ServerKind kind) throws Exception {
    for (int i = 0; i < 4; i++) {
      for (String way : WAYS) {
        await().until(() -> http.get(kind.path(way)).status() != 503);
      }
    }
    await().until(() -> weir.status().overload().orElseThrow().inFlight() == 0);
    inside = new CountDownLatch(1);
    end = new CountDownLatch(1);
    Future<Integer> slow = client.submit(() -> http.get(kind.path("/slow")).status());
    inside.await();
    assertThat(http.get(kind.path("/fine")).status()).isEqualTo(503);
    end.countDown();
    assertThat(slow.get()).isEqualTo(200);
    await().until(() -> http.get(kind.path("/fine")).status() == 200);
  }

  private ResourceConfig application() {
    RateLimitFeature feature = new RateLimitFeature(weir).clientAddress(Server::peerAddress);
    return new ResourceConfig(Answers.class).register(feature);
  }

  @Path("/")
  public static final class Answers {

    @GET
    @Path("{way}")
    public Response answer(@PathParam("way") String way) throws InterruptedException {
      return switch (way) {
        case "forbidden" -> throw new ForbiddenException();
        case "nothing" -> Response.noContent().build();
        case "slow" -> slow();
        default -> Response.ok(way).build();
      };
    }

    private static Response slow() throws InterruptedException {
      inside.countDown();
      end.await();
      return Response.ok("slow").build();
    }
  }
}
