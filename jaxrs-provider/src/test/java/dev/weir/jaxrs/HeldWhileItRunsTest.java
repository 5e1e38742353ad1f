package dev.weir.jaxrs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.weir.config.Weir;
import dev.weir.http.Answer;
import dev.weir.http.RawHttp;
import jakarta.ws.rs.ForbiddenException;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.PathParam;
import jakarta.ws.rs.core.Response;
import jakarta.ws.rs.core.StreamingOutput;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import org.glassfish.jersey.server.ResourceConfig;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A permit of a concurrency limit is a request's until the entity of its response is written. */
class HeldWhileItRunsTest {

  private static final String CONFIGURATION =
      """
      limits: { running: 1 concurrent }
      rules: [{ name: all, match: /**, subject: global, limits: [running] }]
      """;

  @ParameterizedTest
  @EnumSource(ServerKind.class)
  void one_request_runs_at_a_time_and_its_permit_comes_back(ServerKind kind) throws Exception {
    runOneAtATime(kind, "GET");
  }

  /** JAX-RS writes the entity that a GET would have, and sends none of it. */
  @ParameterizedTest
  @EnumSource(ServerKind.class)
  void so_does_one_whose_entity_is_written_and_not_sent(ServerKind kind) throws Exception {
    runOneAtATime(kind, "HEAD");
  }

  private static void runOneAtATime(ServerKind kind, String method) throws Exception {
    Semaphore written = new Semaphore(0);
    Semaphore end = new Semaphore(0);
    ExecutorService clients = Executors.newSingleThreadExecutor();
    try (Weir weir = Weir.of(CONFIGURATION);
        RateLimitFeature feature = new RateLimitFeature(weir).clientAddress(Server::peerAddress);
        Server server =
            kind.start(
                new ResourceConfig().registerInstances(new Work(written, end)).register(feature))) {
      RawHttp http = new RawHttp(server.base());
      Future<Answer> slow = clients.submit(() -> http.send(method, kind.path("/slow")));
      assertThat(written.tryAcquire(20, TimeUnit.SECONDS)).isTrue();
      assertThat(http.send(method, kind.path("/end/200")).status()).isEqualTo(429);
      end.release();
      assertThat(slow.get().status()).isEqualTo(200);
      assertThat(slow.get().body()).isEqualTo(method.equals("HEAD") ? "" : "slow");
      for (String path : new String[] {"/end/200", "/end/204", "/end/403", "/nothing"}) {
        await().until(() -> http.send(method, kind.path(path)).status() != 429);
        await().until(() -> http.send(method, kind.path(path)).status() != 429);
      }
    } finally {
      end.release();
      clients.shutdown();
    }
  }

  /** A resource that writes until the test ends it, and some that end otherwise. */
  @Path("/")
  public static final class Work {

    private final Semaphore written;
    private final Semaphore end;

    Work(Semaphore written, Semaphore end) {
      this.written = written;
      this.end = end;
    }

    @GET
    @Path("slow")
    public StreamingOutput slow() {
      return out -> {
        written.release();
        end.acquireUninterruptibly();
        out.write("slow".getBytes(StandardCharsets.UTF_8));
      };
    }

    @GET
    @Path("end/{status}")
    public Response end(@PathParam("status") int status) {
      if (status == 403) {
        throw new ForbiddenException();
      }
      return status == 204 ? Response.noContent().build() : Response.ok("done").build();
    }
  }
}
