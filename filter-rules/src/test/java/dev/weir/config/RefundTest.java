package dev.weir.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.weir.http.CountedResponses;
import dev.weir.http.FakeRequest;
import dev.weir.http.RequestMatcher;
import dev.weir.http.Rule;
import dev.weir.http.Rule.NamedLimit;
import dev.weir.http.RuleListener;
import dev.weir.http.SubjectResolver;
import dev.weir.http.spi.Completion;
import dev.weir.limit.Limit;
import dev.weir.redis.RedisOptions;
import dev.weir.redis.RedisServer;
import dev.weir.redis.RedisVersion;
import dev.weir.store.Source;
import dev.weir.store.StoreUnavailableException;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** What was charged in Redis for a response that does not count. */
class RefundTest {

  private static final Rule LOGIN =
      Rule.builder("login")
          .match(RequestMatcher.of("/**"))
          .subject(SubjectResolver.of("ip"))
          .limit(new NamedLimit("login", Limit.parse("2 per day window")))
          .build()
          .toBuilder()
          .counted(CountedResponses.parse(List.of("4xx")))
          .build();

  private final List<String> lost = new CopyOnWriteArrayList<>();

  @ParameterizedTest
  @MethodSource("dev.weir.redis.RedisVersion#tested")
  void is_given_back_there_and_lost_when_redis_is(RedisVersion version) throws Exception {
    try (RedisServer redis = RedisServer.start(version);
        Weir weir = limiting(redis)) {
      await().untilAsserted(() -> assertThat(weir.status().store()).isEqualTo(Source.REDIS));
      for (int i = 0; i < 5; i++) {
        passing(weir).completed(200);
      }
      Completion pending = passing(weir);
      assertThat(lost).isEmpty();
      redis.freeze(); // the refund is sent, and its outcome is unknown
      pending.completed(200);
      assertThat(lost).containsExactly("login");
    }
  }

  private Weir limiting(RedisServer redis) {
    return Weir.builder()
        .redis(RedisOptions.of("redis://127.0.0.1:" + redis.port(), "shop"))
        .listener(new RecordingListener())
        .rule(LOGIN)
        .start();
  }

  private static Completion passing(Weir weir) {
    return weir.limiter().limit(FakeRequest.get("/login")).completion().orElseThrow();
  }

  private final class RecordingListener implements RuleListener {

    @Override
    public void onRefundLost(List<Rule> rules, StoreUnavailableException why) {
      rules.forEach(rule -> lost.add(rule.name()));
    }
  }
}
