package dev.weir.jaxrs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.weir.config.Weir;
import dev.weir.http.Http2Connection;
import dev.weir.http.RawHttp;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.container.AsyncResponse;
import jakarta.ws.rs.container.Suspended;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.glassfish.jersey.server.ResourceConfig;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * In a servlet container, a request that is cancelled before its answer returns its permit and its
 * place, though JAX-RS reports nothing of it.
 */
class CancelledRequestTest {

  private static final int LIMIT = 4;

  private static final String CONFIGURATION =
      """
      limits: { running: "%d concurrent, ttl 5s" }
      rules: [{ name: all, match: /**, subject: global, limits: [running] }]
      overload: { in-flight: { start: %d, from: %d, to: %d } }
      """
          .formatted(LIMIT, LIMIT, LIMIT, LIMIT);

  private final Queue<Object> open = new ConcurrentLinkedQueue<>();
  private final Weir weir = Weir.of(CONFIGURATION);

  /** A servlet container below Jersey. */
  private enum Below {
    JETTY {
      @Override
      Server start(ResourceConfig application) throws Exception {
        return JerseyServlet.at("/*", application).start();
      }
    },
    TOMCAT {
      @Override
      Server start(ResourceConfig application) throws Exception {
        return JerseyTomcat.at("/*", application).start();
      }
    };

    abstract Server start(ResourceConfig application) throws Exception;
  }

  @AfterEach
  void close() {
    weir.close();
  }

  @ParameterizedTest
  @EnumSource(Below.class)
  void cancelled_before_its_answer_it_leaves(Below container) throws Exception {
    ResourceConfig application =
        new ResourceConfig()
            .registerInstances(new Waiting(open))
            .register(new RateLimitFeature(weir));
    try (Server server = container.start(application)) {
      RawHttp http = new RawHttp(server.base());
      for (String path : List.of("/suspended", "/stage")) {
        assertThat(http.get("/done").status()).isEqualTo(204);
        try (Http2Connection client = new Http2Connection(server.base())) {
          List<Integer> streams = new ArrayList<>();
          for (int i = 0; i < LIMIT; i++) {
            streams.add(client.get(path));
          }
          await().until(() -> open.size() == LIMIT);
          assertThat(http.get("/done").status()).as(path).isIn(429, 503);
          streams.forEach(client::cancel);
          await(path).until(() -> http.get("/done").status() == 204);
          assertThat(weir.status().overload().orElseThrow().inFlight()).as(path).isZero();
        }
        open.clear();
      }
    }
  }

  /** Resources that never answer. */
  @Path("/")
  public static final class Waiting {

    private final Queue<Object> open;

    Waiting(Queue<Object> open) {
      this.open = open;
    }

    @GET
    @Path("suspended")
    public void suspended(@Suspended AsyncResponse response) {
      open.add(response);
    }

    @GET
    @Path("stage")
    public CompletionStage<String> stage() {
      CompletableFuture<String> answer = new CompletableFuture<>();
      open.add(answer);
      return answer;
    }

    @GET
    @Path("done")
    public void done() {}
  }
}
