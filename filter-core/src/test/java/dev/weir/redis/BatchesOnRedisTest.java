package dev.weir.redis;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.fixture.AcquireRequests;
import dev.weir.store.AcquireRequest;
import dev.weir.store.AcquireRequest.Charge;
import dev.weir.store.LimiterListener;
import dev.weir.store.Subject;
import java.time.Duration;
import java.util.Collections;
import java.util.List;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.MethodSource;

/** Full batches, made with certainty: Redis is frozen until all calls wait. */
@ParameterizedClass(name = "{0}")
@MethodSource("dev.weir.redis.RedisVersion#tested")
class BatchesOnRedisTest {

  private static final int TOGETHER = 64;
  private static final Duration AMPLE = Duration.ofSeconds(16);

  @Parameter RedisVersion version = RedisVersion.embedded();

  @SuppressWarnings("NullAway.Init") // started before each test
  private RedisServer server;

  @SuppressWarnings("NullAway.Init") // connected before each test
  private RedisLimitStore store;

  @BeforeEach
  void connect() {
    server = RedisServer.start(version);
    RedisOptions options = RedisOptions.of(server.uri(), "together").withDeadline(AMPLE);
    store = RedisLimitStore.connect(options, LimiterListener.NONE);
    Awaitility.await().until(() -> Load.decides(store));
  }

  @AfterEach
  void close() {
    store.close();
    server.close();
  }

  @Test
  void decisions_over_very_many_counters_are_decided_however_many_come_together() {
    int counters = 200;
    Charge[] many = new Charge[counters];
    for (int i = 0; i < counters; i++) {
      many[i] =
          AcquireRequests.charge("limit" + i, "100 per 30 days", Subject.of("user", "alice"), 1);
    }
    List<AcquireRequest> requests = Collections.nCopies(TOGETHER, AcquireRequests.request(many));
    assertThat(Gathering.at(server, store, requests)).allMatch(answer -> answer.join().allowed());
    assertThat(AcquireRequests.decide(store, many).binding().remaining())
        .isEqualTo(100 - TOGETHER - 1);
  }
}
