package dev.weir.redis;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.redis.internal.script.RedisKeys;
import dev.weir.store.AcquireRequest.Charge;
import dev.weir.store.LimiterListener;
import dev.weir.store.Subject;
import java.time.Duration;
import java.util.Optional;
import java.util.UUID;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import redis.clients.jedis.Transaction;

/** Tests of what a store leaves in Redis and finds there, each with a subject of its own. */
abstract class StoreOnEveryRedis extends OnEveryRedis {

  private static final String APPLICATION = "behind";
  private static final RedisKeys KEYS = new RedisKeys(APPLICATION, Optional.empty());

  final Subject alice = Subject.of("user", "alice-" + UUID.randomUUID());

  @SuppressWarnings("NullAway.Init") // connected before each test
  RedisLimitStore store;

  @BeforeEach
  void connect() {
    RedisOptions options =
        RedisOptions.of(server.uri(), APPLICATION).withDeadline(Duration.ofSeconds(5));
    store = RedisLimitStore.connect(options, LimiterListener.NONE);
  }

  @AfterEach
  void disconnect() {
    store.close();
  }

  static String key(Charge charge) {
    return KEYS.key(charge.counter());
  }

  /** Fails if this writes one of these keys, even with the same value. */
  void assertWritesNothing(Runnable action, Charge... charges) {
    redis.watch(Stream.of(charges).map(StoreOnEveryRedis::key).toArray(String[]::new));
    action.run();
    try (Transaction ifUnchanged = redis.multi()) {
      ifUnchanged.exists(key(charges[0]));
      assertThat(ifUnchanged.exec()).as("null where a watched key was written").isNotNull();
    }
  }
}
