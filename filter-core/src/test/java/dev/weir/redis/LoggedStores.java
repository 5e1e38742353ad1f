package dev.weir.redis;

import dev.weir.fixture.LogCapture;
import dev.weir.store.LimiterListener;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;

/** Stores, and the log of all of them during a test. */
abstract class LoggedStores {

  @SuppressWarnings("NullAway.Init") // opened before each test
  LogCapture log;

  @BeforeEach
  void listen() {
    log = new LogCapture(RedisLimitStore.class);
  }

  @AfterEach
  void stopListening() {
    log.close();
  }

  static RedisLimitStore connect(RedisOptions options) {
    return RedisLimitStore.connect(options, LimiterListener.NONE);
  }
}
