package dev.weir.servlet;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.weir.config.Weir;
import dev.weir.http.Answer;
import dev.weir.http.RawHttp;
import dev.weir.redis.RedisServer;
import dev.weir.redis.RedisVersion;
import dev.weir.store.Source;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/** A request goes straight to Redis: its stack is short enough to read. */
class StackDepthTest {

  private static final String FILTER = "dev.weir.servlet.RateLimitFilter.doFilter";
  private static final String STORE = "dev.weir.redis.RedisLimitStore.decide";

  @Test
  void few_frames_of_ours_are_between_the_filter_and_the_socket() throws Exception {
    try (RedisServer redis = RedisServer.start(RedisVersion.newest());
        Weir weir = weir(redis);
        JettyServlets server =
            new JettyServlets()
                .filter(new RateLimitFilter(weir))
                .servlet("/", (request, response) -> response.setStatus(204))
                .start()) {
      await().untilAsserted(() -> assertThat(weir.status().store()).isEqualTo(Source.REDIS));
      RawHttp http = new RawHttp(server.base());
      assertThat(http.get("/").isPassed()).isTrue();
      redis.freeze();
      CompletableFuture<Answer> answer = CompletableFuture.supplyAsync(() -> http.get("/"));
      List<String> stack =
          await().until(StackDepthTest::waitingForRedis, found -> !found.isEmpty());
      redis.thaw();
      assertThat(answer.join().isPassed()).isTrue();

      List<String> ours = stack.stream().filter(frame -> frame.startsWith("dev.weir.")).toList();
      String shown = String.join("\n", stack);
      assertThat(ours.subList(ours.indexOf(STORE), ours.size())).as(shown).hasSizeLessThan(20);
      assertThat(ours).as(shown).hasSizeLessThan(30);
    }
  }

  private static Weir weir(RedisServer redis) {
    return Weir.of(
        """
        application: shop
        redis: { uri: "redis://127.0.0.1:%d", deadline: 30s }
        rules:
          - { name: api, match: /**, subject: ip, limits: [100 per second] }
        """
            .formatted(redis.port()));
  }

  /** Returns the frames of a request that waits for a reply, from the last call to the filter. */
  private static List<String> waitingForRedis() {
    return Thread.getAllStackTraces().values().stream()
        .map(stack -> Arrays.stream(stack).map(StackDepthTest::name).toList())
        .filter(names -> names.contains(STORE) && !names.get(0).startsWith("dev.weir."))
        .map(names -> names.subList(0, names.lastIndexOf(FILTER) + 1))
        .findFirst()
        .orElse(List.of());
  }

  private static String name(StackTraceElement frame) {
    return frame.getClassName() + "." + frame.getMethodName();
  }
}
