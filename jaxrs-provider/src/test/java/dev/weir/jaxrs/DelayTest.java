package dev.weir.jaxrs;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.config.Weir;
import dev.weir.http.Answer;
import dev.weir.http.RawHttp;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.Path;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.glassfish.jersey.server.ResourceConfig;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * What a rule delays waits on its thread, and passes; what would be too late is refused at once.
 */
@Execution(ExecutionMode.CONCURRENT) // they mostly wait
class DelayTest {

  private static final String CONFIGURATION =
      """
      limits: { pace: 1 per 3s }
      rules:
        - { name: pace, match: /**, subject: global, limits: [pace], on-denial: delay up to 4s }
      """;

  @ParameterizedTest
  @EnumSource(ServerKind.class)
  void it_waits_and_passes_or_is_refused_at_once(ServerKind kind) throws Exception {
    ExecutorService clients = Executors.newCachedThreadPool();
    try (Weir weir = Weir.of(CONFIGURATION);
        RateLimitFeature feature = new RateLimitFeature(weir).clientAddress(Server::peerAddress);
        Server server =
            kind.start(new ResourceConfig().registerInstances(new Work()).register(feature))) {
      RawHttp http = new RawHttp(server.base());
      assertThat(http.get(kind.path("/work")).status()).isEqualTo(200);
      Future<Answer> waiting = clients.submit(() -> http.get(kind.path("/work")));
      Future<Answer> behind = clients.submit(() -> http.get(kind.path("/work")));
      List<Answer> answers = List.of(waiting.get(), behind.get());
      assertThat(answers).extracting(Answer::status).containsExactlyInAnyOrder(200, 429);
      assertThat(answers)
          .allSatisfy(answer -> assertThat(answer.field("RateLimit")).startsWith("\"pace\";r=0;"));
    } finally {
      clients.shutdown();
    }
  }

  /** Something to do. */
  @Path("/")
  public static final class Work {

    @GET
    @Path("work")
    public String work() {
      return "done";
    }
  }
}
