package dev.weir.cli;

import dev.weir.redis.RedisServer;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.TreeMap;
import redis.clients.jedis.Jedis;

/** Random configurations, requests to them, and what they leave in Redis. */
final class RandomShop {

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

  private RandomShop() {}

  static String yaml(String application, RedisServer server, SplittableRandom random) {
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

  static ExplainedRequest request(SplittableRandom random) {
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
  static Map<String, String> contents(Jedis redis, String application) {
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
