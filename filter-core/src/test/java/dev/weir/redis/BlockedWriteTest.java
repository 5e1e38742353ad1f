package dev.weir.redis;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.fixture.Alone;
import dev.weir.redis.internal.client.Host;
import dev.weir.redis.internal.client.PrimaryClient;
import dev.weir.redis.internal.script.Operation;
import dev.weir.redis.internal.script.RedisKeys;
import dev.weir.redis.internal.script.ScriptCall;
import dev.weir.store.Deadline;
import dev.weir.store.StoreUnavailableException;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A write that blocks ends a deadline after it began, though replies to earlier calls arrive. */
@Alone
class BlockedWriteTest {

  private static final Duration SLACK = Duration.ofMillis(400);
  private static final Duration AMPLE = Duration.ofSeconds(20);

  private final RedisServer server = RedisServer.start(RedisVersion.newest());
  private final PrimariesUnderTest primaries = new PrimariesUnderTest();

  @SuppressWarnings("NullAway.Init") // started before each test
  private DripProxy proxy;

  @BeforeEach
  void start() throws IOException {
    proxy = new DripProxy(server.port());
  }

  @AfterEach
  void stop() throws IOException {
    primaries.close();
    proxy.close();
    server.close();
  }

  @Test
  void replies_to_earlier_calls_do_not_extend_it() throws Exception {
    Duration deadline = Duration.ofMillis(700);
    PrimaryClient client = open(deadline);
    ScriptCall earlier = primaries.probes().anywhere();
    proxy.delay(600);
    CompletableFuture<Duration> first = timed(client, earlier, deadline);
    awaitRun(1);
    client.post(earlier);
    awaitRun(2);
    proxy.deafen(true);
    CompletableFuture<Duration> blocked = timed(client, large(), deadline);
    assertEnds(blocked, deadline);
    assertEnds(first, deadline);
    client.close();
  }

  /** The thread that reads sends the next batch too, and then the replies stay unread. */
  @Test
  void unread_replies_do_not_extend_it() throws Exception {
    Duration deadline = Duration.ofSeconds(2);
    PrimaryClient client = open(deadline);
    ScriptCall full = costly(primaries.probes().anywhere());
    proxy.delay(60); // the thread may write for a sixteenth of its deadline
    CompletableFuture<Duration> reader = timed(client, full, deadline);
    awaitRun(1);
    client.post(full);
    awaitRun(2);
    proxy.deafen(true);
    CompletableFuture<Duration> queued = timed(client, large(), deadline);
    assertEnds(reader, deadline);
    assertEnds(queued, deadline);
    client.close();
  }

  private void assertEnds(CompletableFuture<Duration> call, Duration deadline) throws Exception {
    assertThat(call.get(AMPLE.toSeconds(), TimeUnit.SECONDS)).isLessThan(deadline.plus(SLACK));
  }

  private void awaitRun(int calls) {
    Awaitility.await()
        .pollDelay(Duration.ZERO)
        .pollInterval(Duration.ofMillis(1))
        .until(() -> server.calls("evalsha") == calls);
  }

  /** Returns a call that fills a batch, and the window with another one. */
  private static ScriptCall costly(ScriptCall call) {
    return new ScriptCall(
        call.operation(), call.keys(), call.time(), call.parts(), call.others(), 500, List.of());
  }

  /** Returns a call that no buffer holds. */
  private static ScriptCall large() {
    List<String> others = List.of("x".repeat(24 << 20));
    return ScriptCall.of(Operation.PEEK, List.of("k"), OptionalLong.empty(), List.of(), others);
  }

  private static CompletableFuture<Duration> timed(
      PrimaryClient client, ScriptCall call, Duration deadline) {
    CompletableFuture<Duration> took = new CompletableFuture<>();
    Thread thread =
        new Thread(
            () -> {
              long beganNanos = System.nanoTime();
              try {
                List<Long> unused = client.call(call, Deadline.after(deadline));
              } catch (StoreUnavailableException blocked) {
                // only its time matters
              }
              took.complete(Duration.ofNanos(System.nanoTime() - beganNanos));
            });
    thread.setDaemon(true);
    thread.start();
    return took;
  }

  private PrimaryClient open(Duration deadline) {
    PrimaryClient client =
        new PrimaryClient(
            new Host("127.0.0.1", proxy.port()),
            primaries.settings(
                server.uri(),
                deadline,
                PrimariesUnderTest.refunds(deadline),
                new Recorder(),
                () -> {}),
            RedisKeys::slot,
            () -> primaries.probes().anywhere());
    Awaitility.await().until(() -> client.window() > 0);
    return client;
  }
}
