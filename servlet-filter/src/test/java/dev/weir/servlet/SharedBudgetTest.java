package dev.weir.servlet;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.weir.config.Weir;
import dev.weir.fixture.LogCapture;
import dev.weir.http.Answer;
import dev.weir.http.RawHttp;
import dev.weir.redis.RedisServer;
import dev.weir.redis.RedisVersion;
import dev.weir.store.Source;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.stream.Collectors;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import redis.clients.jedis.Jedis;
import redis.clients.jedis.JedisMonitor;
import redis.clients.jedis.exceptions.JedisException;

/** Two nodes of one application and one real Redis. */
class SharedBudgetTest {

  private static final String KEY = "s3cr3t-of-the-client";

  @ParameterizedTest
  @MethodSource("dev.weir.redis.RedisVersion#tested")
  void two_nodes_spend_one_budget_and_no_key_is_shown_anywhere(RedisVersion version)
      throws Exception {
    try (RedisServer redis = RedisServer.start(version);
        Watch watch = new Watch(redis);
        LogCapture ours = new LogCapture("dev.weir");
        LogCapture client = new LogCapture("redis.clients");
        Weir one = node(redis);
        Weir other = node(redis);
        JettyServlets first = serving(one);
        JettyServlets second = serving(other)) {
      await().untilAsserted(() -> assertThat(one.status().store()).isEqualTo(Source.REDIS));
      await().untilAsserted(() -> assertThat(other.status().store()).isEqualTo(Source.REDIS));

      List<RawHttp> nodes = List.of(new RawHttp(first.base()), new RawHttp(second.base()));
      List<Answer> answers = new ArrayList<>();
      for (int i = 0; i < 30; i++) {
        answers.add(nodes.get(i % 2).get("/api", "X-API-Key: " + KEY));
      }
      assertThat(answers.stream().filter(Answer::isPassed)).hasSize(10);
      assertThat(answers.subList(10, 30)).allMatch(Answer::isDenied);
      assertThat(nodes.get(0).get("/api", "X-API-Key: another").isPassed()).isTrue();

      await().until(() -> watch.text().contains("EVALSHA"));
      assertThat(watch.text()).doesNotContain(KEY);
      assertThat(contents(redis)).contains("shop:{").doesNotContain(KEY);
      assertThat(ours.text() + client.text()).doesNotContain(KEY);
      assertThat(one.status().toString()).doesNotContain(KEY);
      assertThat(answers.toString()).doesNotContain(KEY);
    }
  }

  private static Weir node(RedisServer redis) {
    return Weir.of(
        """
        application: shop
        redis: redis://127.0.0.1:%d
        rules:
          - { name: api, match: /api, subject: header:X-API-Key, limits: [10 per day] }
        """
            .formatted(redis.port()));
  }

  private static JettyServlets serving(Weir weir) throws Exception {
    return new JettyServlets()
        .filter(new RateLimitFilter(weir))
        .servlet("/", (request, response) -> response.setStatus(204))
        .start();
  }

  /** Every key with its value. */
  private static String contents(RedisServer redis) {
    try (Jedis jedis = redis.client()) {
      return jedis.keys("*").stream()
          .map(key -> key + " " + jedis.type(key) + " " + value(jedis, key))
          .collect(Collectors.joining("\n"));
    }
  }

  private static String value(Jedis jedis, String key) {
    return jedis.type(key).equals("string")
        ? jedis.get(key)
        : new String(jedis.dump(key), ISO_8859_1);
  }

  /** All commands that the server sees. */
  private static final class Watch implements AutoCloseable {

    private final List<String> commands = Collections.synchronizedList(new ArrayList<>());
    private final Jedis jedis;

    private Watch(RedisServer redis) {
      jedis = redis.client();
      new Thread(this::monitor, "monitor").start();
      await()
          .until(
              () -> {
                try (Jedis other = redis.client()) {
                  other.ping("watched");
                }
                return text().contains("watched");
              });
    }

    private void monitor() {
      try {
        jedis.monitor(
            new JedisMonitor() {
              @Override
              public void onCommand(String command) {
                commands.add(command);
              }
            });
      } catch (JedisException closed) {
        commands.add("closed");
      }
    }

    private String text() {
      synchronized (commands) {
        return String.join("\n", commands);
      }
    }

    @Override
    public void close() {
      jedis.disconnect();
    }
  }
}
