package dev.weir.redis;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.fixture.Alone;
import java.io.IOException;
import java.time.Duration;
import org.awaitility.Awaitility;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import redis.clients.jedis.Jedis;

/** A Redis that is healthy but far away decides everything. */
@Alone
class RedisDistantTest {

  /** In proportion to 10 and 30 ms as for the usual 100; a shared machine may be late by itself. */
  private static final Duration DEADLINE = Duration.ofMillis(300);

  private static final int ROUNDS = 10;
  private static final int TOGETHER = 8;

  private final Recorder received = new Recorder();

  @ParameterizedTest
  @ValueSource(longs = {30, 90})
  void decides_all_of_8_simultaneous_calls_on_a_few_connections(long millisPerReply)
      throws IOException, InterruptedException {
    try (RedisServer server = RedisServer.start(RedisVersion.newest());
        Jedis redis = server.client();
        DripProxy proxy = new DripProxy(server.port())) {
      redis.aclSetUser("far", "on", ">away", "~*", "+@all");
      proxy.delay(millisPerReply);
      String uri = "redis://far:away@127.0.0.1:" + proxy.port() + "/3";
      try (RedisLimitStore store =
          RedisLimitStore.connect(RedisOptions.of(uri, "far").withDeadline(DEADLINE), received)) {
        Awaitility.await().until(() -> Load.decides(store) && ready(redis) > 0);
        for (int i = 0; i < ROUNDS; i++) {
          assertThat(Load.storm(store, TOGETHER, 1, DEADLINE))
              .allMatch(answer -> answer.decision().isPresent());
        }
        assertThat(received.switches).isEmpty();
        assertThat(proxy.connections()).isLessThanOrEqualTo(FewCallersTest.MOST);
      }
    }
  }

  /** Returns how many of the store's connections have sent all that precedes a call. */
  private static long ready(Jedis redis) {
    return redis.clientList().lines().filter(client -> client.contains(" db=3 ")).count();
  }
}
