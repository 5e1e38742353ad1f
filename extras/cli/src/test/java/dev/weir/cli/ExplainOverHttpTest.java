package dev.weir.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.config.Configuration;
import dev.weir.config.ReadOptions;
import dev.weir.config.Weir;
import dev.weir.http.Answer;
import dev.weir.http.RawHttp;
import dev.weir.http.spi.Outcome;
import dev.weir.http.spi.RequestLimiter;
import dev.weir.redis.RedisServer;
import dev.weir.redis.RedisVersion;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import redis.clients.jedis.Jedis;

/** What is explained is what a server answers next over HTTP, and explaining it changes nothing. */
class ExplainOverHttpTest {

  private static final int SERVERS = 10;
  private static final int REQUESTS = 20;
  private static final Duration PATIENCE = Duration.ofSeconds(5);
  private static final String MOVING_SECONDS = "(t=|^)[0-9]+$";

  static IntStream seeds() {
    return IntStream.range(1_000, 1_000 + SERVERS);
  }

  @ParameterizedTest
  @MethodSource("seeds")
  void what_is_explained_is_the_next_answer(int seed, @TempDir Path folder) throws Exception {
    SplittableRandom random = new SplittableRandom(seed);
    RedisServer redis = RedisServer.shared(RedisVersion.newest());
    String application = "served-" + seed;
    String yaml = RandomShop.yaml(application, redis, random);
    Configuration read = Weir.read(yaml, ReadOptions.STRICT);
    try (ServedNode node = ServedNode.start(yaml, folder);
        RedisSession session =
            RedisSession.open(read.redis().orElseThrow().asObserver().withSingleKeys());
        Jedis client = redis.client()) {
      for (int i = 0; i < REQUESTS; i++) {
        ExplainedRequest request = local(RandomShop.request(random));
        Map<String, String> before = RandomShop.contents(client, application);
        Explanation explained = Explanation.of(read, request, session.store(), PATIENCE);
        assertThat(RandomShop.contents(client, application)).as(yaml).isEqualTo(before);
        assertSame(explained, sent(request, node.http()), yaml + "\n" + request + " " + i);
      }
    }
  }

  private static void assertSame(Explanation explained, Answer answer, String where) {
    Outcome outcome = explained.outcome();
    int status = outcome instanceof Outcome.Rejected rejected ? rejected.status() : 200;
    assertThat(answer.status()).as(where).isEqualTo(status);
    for (Outcome.Field field : outcome.fields()) {
      assertThat(answer.field(field.name()).replaceFirst(MOVING_SECONDS, "$1"))
          .as(where + "\n" + field.name())
          .isEqualTo(field.value().replaceFirst(MOVING_SECONDS, "$1"));
    }
    if (status == 429) {
      Object limit = explained.request().attribute(RequestLimiter.DENIED_LIMIT);
      assertThat(answer.body()).as(where).containsPattern("violated-policies.*\"" + limit + "\"");
    }
  }

  /** The same from an address of this machine, without a user. */
  private static ExplainedRequest local(ExplainedRequest request) {
    String peer = request.peer().replace("192.0.2.", "127.0.0.");
    return new ExplainedRequest(
        request.method(), request.target(), request.headers(), peer, Optional.empty(), Set.of());
  }

  private static Answer sent(ExplainedRequest request, RawHttp http) {
    String[] fields =
        request.headers().entrySet().stream()
            .flatMap(
                header -> header.getValue().stream().map(value -> header.getKey() + ": " + value))
            .toArray(String[]::new);
    return http.from(request.peer(), request.method(), request.target(), fields);
  }
}
