package dev.weir.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.weir.fixture.AcquireRequests;
import dev.weir.fixture.Alone;
import dev.weir.redis.internal.client.Host;
import dev.weir.redis.internal.client.RedisConnection;
import dev.weir.redis.internal.client.RedisConnection.Login;
import dev.weir.redis.internal.client.SocketTimer;
import dev.weir.store.AcquireRequest.Charge;
import dev.weir.store.Adjustment;
import dev.weir.store.Deadline;
import dev.weir.store.Decision;
import dev.weir.store.LimiterListener;
import dev.weir.store.StoreUnavailableException;
import dev.weir.store.StoreUnavailableException.Kind;
import dev.weir.store.Subject;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import redis.clients.jedis.CommandArguments;
import redis.clients.jedis.Protocol.Command;
import redis.clients.jedis.exceptions.JedisConnectionException;

/** A decision is answered by its deadline, whatever the network does. */
@Alone
class RedisDeadlineTest {

  private static final Duration DEADLINE = Duration.ofMillis(100);
  private static final Duration LATEST = DEADLINE.plusMillis(300);

  private final RedisServer server = RedisServer.shared(RedisVersion.newest());
  private final Recorder received = new Recorder();

  @SuppressWarnings("NullAway.Init") // opened before each test
  private DripProxy proxy;

  @SuppressWarnings("NullAway.Init") // connected before each test
  private RedisLimitStore store;

  @BeforeEach
  void connect() throws IOException {
    proxy = new DripProxy(server.port());
    store = connect("redis://127.0.0.1:" + proxy.port(), Duration.ofMillis(100));
    Awaitility.await().until(() -> Load.decides(store));
  }

  @AfterEach
  void close() throws IOException {
    store.close();
    proxy.close();
  }

  @Test
  void a_reply_that_drips_a_byte_every_40_ms_is_cut() throws InterruptedException {
    proxy.drip(40);
    List<Load.Replied> answers = Load.storm(store, 16, 2, DEADLINE);
    assertThat(answers).hasSize(32).allMatch(answer -> answer.decision().isEmpty());
    assertThat(Load.longest(answers)).isLessThan(LATEST);
  }

  @Test
  void so_is_one_to_a_change_whose_deadline_has_not_begun() {
    Charge charge = AcquireRequests.charge("n", "3 per 30 days", Subject.of("user", "reset"), 1);
    Adjustment reset = new Adjustment.Reset(charge.counter());
    proxy.drip(40);
    assertThat(
            CompletableFuture.supplyAsync(
                () -> {
                  try {
                    store.adjust(reset, Deadline.within(DEADLINE));
                    return true;
                  } catch (StoreUnavailableException cut) {
                    return false;
                  }
                }))
        .succeedsWithin(LATEST)
        .isEqualTo(false);
  }

  @Test
  void a_reply_that_was_cut_is_never_somebody_elses() throws InterruptedException {
    for (int round = 0; round < 20; round++) {
      proxy.drip(1 + round % 5);
      Load.storm(store, 8, 1, Duration.ofMillis(20));
      proxy.drip(0);
      Awaitility.await().until(() -> Load.decides(store));
      Charge fresh =
          AcquireRequests.charge(
              "n", (3 + round) + " per 30 days", Subject.of(UUID.randomUUID() + ""), 1);
      assertThat(AcquireRequests.decide(store, fresh).binding().remaining()).isEqualTo(2L + round);
    }
  }

  @Test
  void a_write_that_blocks_is_cut() {
    SocketTimer timer = new SocketTimer("weir-redis-test-timer", LimiterListener.NONE);
    try (timer) {
      RedisConnection connection =
          PrimariesUnderTest.connector(timer, Login.NONE, Duration.ofSeconds(5))
              .open(new Host("127.0.0.1", proxy.port()));
      proxy.deafen(true);
      CommandArguments large = new CommandArguments(Command.ECHO).add(new byte[24 << 20]);
      long beganNanos = System.nanoTime();
      assertThatThrownBy(() -> connection.call(large, Deadline.after(DEADLINE)))
          .isInstanceOf(JedisConnectionException.class);
      assertThat(Duration.ofNanos(System.nanoTime() - beganNanos)).isLessThan(LATEST);
      assertThat(connection.isUsable()).isFalse();
      proxy.deafen(false);
    }
  }

  @Test
  void a_tls_handshake_that_stalls_keeps_nobody() throws IOException {
    try (ServerSocket silent = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
        RedisLimitStore stalled =
            connect("rediss://127.0.0.1:" + silent.getLocalPort(), DEADLINE)) {
      Load.Replied replied = Load.once(stalled, DEADLINE);
      assertThat(replied.decision()).isEmpty();
      assertThat(replied.took()).isLessThan(LATEST);
    }
  }

  @Test
  void waiting_for_a_connection_ends_at_the_deadline_too() throws InterruptedException {
    proxy.drip(5);
    List<Load.Replied> answers = Load.storm(store, 64, 1, DEADLINE);
    assertThat(answers).hasSize(64);
    assertThat(Load.longest(answers)).isLessThan(LATEST);
  }

  @Test
  void a_deadline_that_has_passed_is_answered_without_a_trip() {
    assertThatThrownBy(() -> store.decide(Load.request(Duration.ZERO)))
        .isInstanceOf(StoreUnavailableException.class)
        .hasMessageContaining("deadline had passed");
  }

  @Test
  void what_is_settled_too_late_is_settled_in_the_background() throws StoreUnavailableException {
    String name = "late-" + System.nanoTime();
    Charge four = AcquireRequests.charge(name, "10 per day window", Subject.global(), 4);
    Charge none = AcquireRequests.charge(name, "10 per day window", Subject.global(), 1);
    Decision.Counted refunded = AcquireRequests.decide(store, four);
    Decision.Counted reconciled = AcquireRequests.decide(store, four);
    Deadline passed = Deadline.after(Duration.ZERO);
    store.adjust(new Adjustment.Refund(refunded.receipt()), passed);
    store.adjust(new Adjustment.Reconcile(reconciled.receipt(), 3), passed);
    Awaitility.await()
        .until(() -> AcquireRequests.peek(store, none).binding().remaining() == 10 - 3);
  }

  @Test
  void callers_in_a_hurry_do_not_open_the_breaker() {
    proxy.drip(1);
    for (int i = 0; i < 30; i++) {
      Load.once(store, Duration.ofMillis(10));
    }
    assertThat(store.isHealthy()).isTrue();
    assertThat(received.switches).isEmpty();
  }

  @Test
  void a_thread_that_is_interrupted_while_its_call_is_queued_is_answered_and_stays_so()
      throws Exception {
    proxy.deafen(true);
    List<CompletableFuture<Decision.Counted>> inFlight = new ArrayList<>();
    for (int i = 0; i < 16; i++) {
      inFlight.add(Gathering.requested(store, Load.request(Duration.ofSeconds(2))));
    }
    CompletableFuture<Kind> whyUnanswered = new CompletableFuture<>();
    CompletableFuture<Boolean> interrupted = new CompletableFuture<>();
    Thread waiting =
        new Thread(
            () -> {
              try {
                store.decide(Load.request(Duration.ofSeconds(30)));
              } catch (StoreUnavailableException e) {
                whyUnanswered.complete(e.kind());
              }
              interrupted.complete(Thread.currentThread().isInterrupted());
            });
    waiting.start();
    waiting.interrupt();
    assertThat(interrupted.get(5, TimeUnit.SECONDS)).isTrue();
    assertThat(whyUnanswered)
        .as("as every thread is that waits for this Redis")
        .isCompletedWithValue(Kind.OUTAGE);
    assertThat(inFlight).allMatch(answer -> answer.handle((decided, late) -> true).join());
    proxy.deafen(false);
    Awaitility.await().until(() -> Load.decides(store));
    assertThat(Load.storm(store, 16, 20, Duration.ofSeconds(2)))
        .allMatch(answer -> answer.decision().isPresent());
  }

  @Test
  void closing_answers_everybody_within_two_seconds() throws InterruptedException {
    store.close();
    store = connect("redis://127.0.0.1:" + proxy.port(), Duration.ofSeconds(20));
    Awaitility.await().until(() -> Load.decides(store));
    proxy.drip(40);
    Thread closer = new Thread(() -> closeOnce());
    Thread[] waiting = new Thread[64];
    for (int i = 0; i < waiting.length; i++) {
      waiting[i] = new Thread(() -> Load.once(store, Duration.ofMinutes(1)));
      waiting[i].start();
    }
    Awaitility.await().until(() -> proxy.connections() >= 1);
    long beganNanos = System.nanoTime();
    closer.start();
    closer.join();
    for (Thread thread : waiting) {
      thread.join();
    }
    assertThat(Duration.ofNanos(System.nanoTime() - beganNanos)).isLessThan(Duration.ofSeconds(2));
    assertThat(received.switches).isEmpty();
  }

  private void closeOnce() {
    store.close();
  }

  private RedisLimitStore connect(String uri, Duration deadline) {
    return RedisLimitStore.connect(
        RedisOptions.of(uri, "deadline").withDeadline(deadline), received);
  }
}
