package dev.weir.servlet;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.weir.config.Weir;
import dev.weir.http.Crowd;
import dev.weir.http.RawHttp;
import dev.weir.redis.RedisServer;
import dev.weir.redis.RedisVersion;
import dev.weir.store.Source;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Passwords that are guessed all at once, against real Redis. */
class FailedLoginsTest {

  private static final int GUESSES = 1_000;

  @ParameterizedTest
  @MethodSource("dev.weir.redis.RedisVersion#tested")
  void guesses_in_parallel_reach_the_application_as_often_as_the_limit_says(RedisVersion version)
      throws Exception {
    AtomicInteger reached = new AtomicInteger();
    try (RedisServer redis = RedisServer.start(version);
        Weir weir = limiting(redis);
        JettyServlets jetty =
            new JettyServlets()
                .filter(new RateLimitFilter(weir))
                .servlet("/guess", (request, response) -> response.setStatus(failed(reached)))
                .servlet("/login", (request, response) -> response.setStatus(204))
                .start()) {
      await().untilAsserted(() -> assertThat(weir.status().store()).isEqualTo(Source.REDIS));
      RawHttp http = new RawHttp(jetty.base());
      for (int i = 0; i < 50; i++) {
        assertThat(http.get("/login").status()).as("who knows the password").isEqualTo(204);
      }
      List<Integer> statuses = Crowd.get(http, "/guess", GUESSES);
      assertThat(reached).hasValue(10);
      assertThat(statuses).containsOnly(401, 429);
      assertThat(statuses.stream().filter(status -> status == 401)).hasSize(10);
      assertThat(http.get("/login").isDenied()).as("nobody any longer").isTrue();
      assertThat(weir.status().store()).isEqualTo(Source.REDIS);
    }
  }

  private static int failed(AtomicInteger reached) {
    reached.incrementAndGet();
    return 401;
  }

  private static Weir limiting(RedisServer redis) {
    return Weir.of(
        """
        application: shop
        redis: { uri: "redis://127.0.0.1:%d", deadline: 5s }
        limits: { login: 10 per day }
        rules:
          - { name: login, match: /**, subject: global, limits: [login], count: [401, 403] }
        """
            .formatted(redis.port()));
  }
}
