package dev.weir.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.weir.fixture.BlockedLog;
import dev.weir.fixture.LogCapture;
import dev.weir.redis.internal.client.Host;
import dev.weir.redis.internal.client.PrimaryClient;
import dev.weir.redis.internal.script.DecisionReply;
import dev.weir.redis.internal.script.Operation;
import dev.weir.redis.internal.script.RedisKeys;
import dev.weir.redis.internal.script.ScriptCall;
import dev.weir.store.Deadline;
import dev.weir.store.StoreUnavailableException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import java.util.logging.Level;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.MethodSource;

/** A script that fails for our own reasons is a bug, and no outage. */
@ParameterizedClass(name = "{0}")
@MethodSource("dev.weir.redis.RedisVersion#tested")
class PrimaryClientTest {

  private static final Duration AMPLE = Duration.ofSeconds(5);

  @Parameter RedisVersion version = RedisVersion.embedded();

  private final Recorder received = new Recorder();
  private final PrimariesUnderTest primaries = new PrimariesUnderTest();

  @SuppressWarnings("NullAway.Init") // opened before each test
  private PrimaryClient client;

  @BeforeEach
  void open() {
    RedisServer server = RedisServer.shared(version);
    client =
        new PrimaryClient(
            new Host("127.0.0.1", server.port()),
            primaries.settings(
                server.uri(), AMPLE, PrimariesUnderTest.refunds(AMPLE), received, () -> {}),
            RedisKeys::slot,
            () -> primaries.probes().anywhere());
  }

  @AfterEach
  void close() throws InterruptedException {
    client.close();
    client.join(1_000);
    primaries.close();
  }

  @Test
  void a_bug_is_reported_each_time_logged_once_and_opens_no_breaker() throws Exception {
    ScriptCall wrong = wrong(Operation.DECIDE);
    try (LogCapture log = new LogCapture(RedisLimitStore.class)) {
      for (int i = 0; i < 30; i++) {
        assertThatThrownBy(() -> client.call(wrong, Deadline.after(AMPLE)))
            .isInstanceOf(StoreUnavailableException.class)
            .hasMessageContaining("user_script");
      }
      Awaitility.await()
          .untilAsserted(
              () ->
                  assertThat(log.records())
                      .singleElement()
                      .matches(line -> line.getLevel().equals(Level.SEVERE)));
    }
    assertThat(received.errors)
        .hasSize(30)
        .allMatch(error -> error.contains("script decide failed"));
    assertThat(received.switches).isEmpty();
    assertThat(client.isHealthy()).isTrue();
    assertThat(client.call(primaries.probes().anywhere(), Deadline.after(AMPLE)))
        .hasSize(DecisionReply.FIELDS);
  }

  @Test
  void a_bug_fails_no_call_of_the_same_batch() throws Exception {
    ScriptCall wrong = wrong(Operation.REFUND);
    List<CompletableFuture<Boolean>> calls = new ArrayList<>();
    for (int i = 0; i < 20; i++) {
      ScriptCall call = i % 2 == 0 ? wrong : primaries.probes().anywhere();
      calls.add(CompletableFuture.supplyAsync(() -> replies(call)));
    }
    for (int i = 0; i < 20; i++) {
      assertThat(calls.get(i).join()).isEqualTo(i % 2 == 1);
    }
    assertThat(received.errors).hasSize(10).allMatch(error -> error.contains("refund failed"));
    assertThat(client.isHealthy()).isTrue();
  }

  @Test
  void a_log_that_blocks_delays_no_decision() {
    ScriptCall wrong = wrong(Operation.DECIDE);
    try (BlockedLog log = new BlockedLog(RedisLimitStore.class)) {
      CompletableFuture<Boolean> answer = CompletableFuture.supplyAsync(() -> replies(wrong));
      assertThat(log.isReached()).isTrue();
      assertThat(answer).succeedsWithin(AMPLE).isEqualTo(false);
    }
  }

  /** Returns a call of a limit that no script knows. */
  private static ScriptCall wrong(Operation operation) {
    List<String> keys = List.of("client:{a}:b");
    return ScriptCall.of(operation, keys, OptionalLong.empty(), List.of(), List.of("z"));
  }

  private boolean replies(ScriptCall call) {
    try {
      client.call(call, Deadline.after(AMPLE));
      return true;
    } catch (StoreUnavailableException refused) {
      return false;
    }
  }

  @Test
  void what_probes_write_always_writes() throws Exception {
    for (int i = 0; i < 100; i++) {
      assertThat(client.call(primaries.probes().anywhere(), Deadline.after(AMPLE)))
          .startsWith(DecisionReply.FITS);
    }
  }
}
