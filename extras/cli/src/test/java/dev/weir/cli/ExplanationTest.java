package dev.weir.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.config.Configuration;
import dev.weir.config.ReadOptions;
import dev.weir.config.Weir;
import dev.weir.http.spi.Outcome;
import dev.weir.http.spi.RequestLimiter;
import dev.weir.redis.RedisServer;
import dev.weir.redis.RedisVersion;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import redis.clients.jedis.Jedis;

/** What is explained is what a running node answers next, and explaining it changes nothing. */
class ExplanationTest {

  private static final int REQUESTS = 10;
  private static final Duration PATIENCE = Duration.ofSeconds(5);

  private static final Pattern SECONDS = Pattern.compile("(?<=t=|^)[0-9]+$");

  static IntStream seeds() {
    return IntStream.range(0, 20);
  }

  @ParameterizedTest
  @MethodSource("seeds")
  void what_is_explained_is_the_next_answer(int seed) {
    SplittableRandom random = new SplittableRandom(seed);
    RedisServer server = RedisServer.shared(RedisVersion.newest());
    String yaml = RandomShop.yaml("explained-" + seed, server, random);
    Configuration read = Weir.read(yaml, ReadOptions.STRICT);
    List<Outcome.Passed> running = new ArrayList<>();
    try (Weir node = Weir.of(yaml);
        RedisSession session =
            RedisSession.open(read.redis().orElseThrow().asObserver().withSingleKeys());
        Jedis redis = server.client()) {
      for (int i = 0; i < REQUESTS; i++) {
        ExplainedRequest request = RandomShop.request(random);
        Map<String, String> before = RandomShop.contents(redis, "explained-" + seed);
        Explanation explained = Explanation.of(read, request, session.store(), PATIENCE);
        assertThat(RandomShop.contents(redis, "explained-" + seed)).as(yaml).isEqualTo(before);

        ExplainedRequest sent = request.again();
        Outcome answer = node.limiter().limit(sent);
        assertSame(explained, answer, sent, yaml + "\n" + request.target() + " " + i);
        if (answer instanceof Outcome.Passed passed) {
          running.add(passed);
        }
      }
      running.forEach(
          passed -> passed.completion().ifPresent(completion -> completion.completed(200)));
    }
  }

  private static void assertSame(
      Explanation explained, Outcome answer, ExplainedRequest sent, String where) {
    assertThat(explained.outcome().getClass()).as(where).isEqualTo(answer.getClass());
    for (String attribute :
        List.of(RequestLimiter.DENIED_RULE, RequestLimiter.DENIED_LIMIT, RequestLimiter.DEGRADED)) {
      assertThat(explained.request().attribute(attribute))
          .as(where)
          .isEqualTo(sent.attribute(attribute));
    }
    if (answer instanceof Outcome.Rejected rejected) {
      assertThat(((Outcome.Rejected) explained.outcome()).status()).isEqualTo(rejected.status());
    }
    if (answer instanceof Outcome.Diverted diverted) {
      assertThat(((Outcome.Diverted) explained.outcome()).path()).isEqualTo(diverted.path());
    }
    assertThat(explained.outcome().fields().stream().map(ExplanationTest::withoutSeconds))
        .as(where)
        .containsExactlyElementsOf(
            answer.fields().stream().map(ExplanationTest::withoutSeconds).toList());
    boolean isEstimated = answer.fields().toString().contains("concurrent-requests");
    for (int i = 0; i < answer.fields().size() && !isEstimated; i++) {
      assertThat(seconds(explained.outcome().fields().get(i)))
          .as("%s: %s", where, answer.fields().get(i))
          .isBetween(seconds(answer.fields().get(i)) - 2, seconds(answer.fields().get(i)) + 2);
    }
  }

  private static String withoutSeconds(Outcome.Field field) {
    return field.name() + ": " + SECONDS.matcher(field.value()).replaceFirst("");
  }

  private static long seconds(Outcome.Field field) {
    Matcher seconds = SECONDS.matcher(field.value());
    return seconds.find() ? Long.parseLong(seconds.group()) : 0;
  }
}
