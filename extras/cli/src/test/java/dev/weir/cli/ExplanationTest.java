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
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.TreeMap;
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

  /** Slow ones, so that nothing returns between an explanation and an answer. */
  private static final List<String> LIMITS =
      List.of(
          "3 per hour",
          "2 per hour, burst 6",
          "4 per 2h window",
          "5 per day window Europe/Berlin",
          "3 per 3h sliding",
          "1 per hour leaky, capacity 2",
          "2 concurrent");

  private static final List<String> SUBJECTS =
      List.of("ip", "header:X-API-Key", "principal", "[ip, path]", "query:key", "cookie:sid");

  private static final List<String> OTHERS =
      List.of(
          "",
          "",
          ", on-denial: shadow",
          ", on-denial: degrade",
          ", on-denial: degrade to /cheap",
          ", cost: 2",
          ", cost: { header: X-Cost, from: 1, to: 2 }",
          ", allow: [192.0.2.8]",
          ", deny: [192.0.2.9]",
          ", when: \"Mon-Sun 00:00-24:00 UTC\"",
          ", missing: shared",
          ", ban: 1h after 100000 denials in 1m");

  private static final Pattern SECONDS = Pattern.compile("(?<=t=|^)[0-9]+$");

  static IntStream seeds() {
    return IntStream.range(0, 20);
  }

  @ParameterizedTest
  @MethodSource("seeds")
  void what_is_explained_is_the_next_answer(int seed) {
    SplittableRandom random = new SplittableRandom(seed);
    RedisServer server = RedisServer.shared(RedisVersion.newest());
    String yaml = yaml("explained-" + seed, server, random);
    Configuration read = Weir.read(yaml, ReadOptions.STRICT);
    List<Outcome.Passed> running = new ArrayList<>();
    try (Weir node = Weir.of(yaml);
        RedisSession session =
            RedisSession.open(read.redis().orElseThrow().asObserver().withSingleKeys());
        Jedis redis = server.client()) {
      for (int i = 0; i < REQUESTS; i++) {
        ExplainedRequest request = request(random);
        Map<String, String> before = contents(redis, "explained-" + seed);
        Explanation explained = Explanation.of(read, request, session.store(), PATIENCE);
        assertThat(contents(redis, "explained-" + seed)).as(yaml).isEqualTo(before);

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

  // ---------------------------------------------------------------- random

  private static String yaml(String application, RedisServer server, SplittableRandom random) {
    StringBuilder yaml =
        new StringBuilder(
            "application: %s\nredis: { uri: \"%s\", deadline: 5s }\nnodes: 1\nresponses: { fields: %s }\nrules:\n"
                .formatted(application, server.uri(), one(List.of("draft-11", "draft-7"), random)));
    int rules = random.nextInt(1, 5);
    for (int i = 0; i < rules; i++) {
      String limits = one(LIMITS, random) + "\", \"" + one(LIMITS, random);
      yaml.append(
          "  - { name: r%d, match: %s, subject: %s, limits: [\"%s\"]%s }\n"
              .formatted(
                  i,
                  one(List.of("/**", "/api/**", "POST /login", "\"/api/{id}\""), random),
                  one(SUBJECTS, random),
                  random.nextBoolean() ? limits : one(LIMITS, random),
                  one(OTHERS, random)));
    }
    String text = yaml.toString();
    return text.replaceAll("(?m)^(.*(header:|query:|cookie:|principal).*), ban: .*$", "$1 }");
  }

  private static ExplainedRequest request(SplittableRandom random) {
    Map<String, List<String>> headers = new HashMap<>();
    if (random.nextInt(4) > 0) {
      headers.put("x-api-key", List.of("k" + random.nextInt(2)));
    }
    if (random.nextBoolean()) {
      headers.put("x-cost", List.of(Integer.toString(random.nextInt(5))));
    }
    if (random.nextBoolean()) {
      headers.put("cookie", List.of("sid=" + random.nextInt(2)));
    }
    return new ExplainedRequest(
        one(List.of("GET", "POST"), random),
        one(List.of("/api/7", "/login", "/api/8?key=a", "/", "/api/%38"), random),
        headers,
        "192.0.2." + random.nextInt(7, 10),
        random.nextBoolean() ? Optional.of("ann") : Optional.empty(),
        Set.of());
  }

  private static String one(List<String> all, SplittableRandom random) {
    return all.get(random.nextInt(all.size()));
  }

  /** Everything that Redis has of the application, and whether each key expires. */
  private static Map<String, String> contents(Jedis redis, String application) {
    Map<String, String> contents = new TreeMap<>();
    for (String key : redis.keys(application + ":*")) {
      if (key.endsWith("}:weir") || key.endsWith(":lost")) {
        continue; // of the node: its heartbeat, and what it tries on a connection
      }
      String value =
          redis.type(key).equals("zset")
              ? redis.zrangeWithScores(key, 0, -1).toString()
              : redis.get(key);
      contents.put(key, value + (redis.pttl(key) > 0 ? ", expires" : ""));
    }
    return contents;
  }
}
