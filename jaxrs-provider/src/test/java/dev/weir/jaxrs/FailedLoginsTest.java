package dev.weir.jaxrs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.weir.config.Weir;
import dev.weir.http.Crowd;
import dev.weir.http.RawHttp;
import dev.weir.redis.RedisServer;
import dev.weir.redis.RedisVersion;
import dev.weir.store.Source;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.core.Response;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.glassfish.jersey.server.ResourceConfig;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Passwords that are guessed all at once, against real Redis. */
class FailedLoginsTest {

  private static final int GUESSES = 1_000;

  @ParameterizedTest
  @MethodSource("dev.weir.redis.RedisVersion#tested")
  void guesses_in_parallel_reach_the_application_as_often_as_the_limit_says(RedisVersion version)
      throws Exception {
    Logins logins = new Logins();
    try (RedisServer redis = RedisServer.start(version);
        Weir weir = limiting(redis);
        RateLimitFeature feature = new RateLimitFeature(weir).clientAddress(Server::peerAddress);
        Server server =
            Grizzly.start(new ResourceConfig().registerInstances(logins).register(feature))) {
      await().untilAsserted(() -> assertThat(weir.status().store()).isEqualTo(Source.REDIS));
      RawHttp http = new RawHttp(server.base());
      for (int i = 0; i < 50; i++) {
        assertThat(http.get("/login").isPassed()).as("who knows the password").isTrue();
      }
      List<Integer> statuses = Crowd.get(http, "/guess", GUESSES);
      assertThat(logins.guesses).hasValue(10);
      assertThat(statuses).containsOnly(401, 429);
      assertThat(statuses.stream().filter(status -> status == 401)).hasSize(10);
      assertThat(http.get("/login").isDenied()).as("nobody any longer").isTrue();
      assertThat(weir.status().store()).isEqualTo(Source.REDIS);
    }
  }

  private static Weir limiting(RedisServer redis) {
    return Weir.of(
        """
        application: shop
        redis: { uri: "redis://127.0.0.1:%d", deadline: 5s }
        limits: { login: 10 per day }
        rules:
          - { name: login, match: annotations, subject: global, limits: [login], count: 4xx }
        """
            .formatted(redis.port()));
  }

  /** One that is right and one that is wrong. */
  @Path("/")
  @RateLimited("login")
  public static final class Logins {

    private final AtomicInteger guesses = new AtomicInteger();

    @GET
    @Path("login")
    public String login() {
      return "in";
    }

    @GET
    @Path("guess")
    public Response guess() {
      guesses.incrementAndGet();
      return Response.status(401).build();
    }
  }
}
