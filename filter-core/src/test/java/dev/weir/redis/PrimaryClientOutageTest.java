package dev.weir.redis;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.fixture.FreePorts;
import dev.weir.redis.internal.client.Host;
import dev.weir.redis.internal.client.PrimaryClient;
import dev.weir.redis.internal.client.PrimarySettings;
import dev.weir.redis.internal.client.PrimarySettings.UnsettledCalls;
import dev.weir.redis.internal.script.ScriptCall;
import dev.weir.store.Deadline;
import dev.weir.store.Source;
import dev.weir.store.StoreUnavailableException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import redis.clients.jedis.Jedis;

/** How the client of one primary detects an outage and recovers. */
class PrimaryClientOutageTest {

  private static final Duration DEADLINE = Duration.ofMillis(300);
  private static final Duration HASTE = Duration.ofMillis(60);
  private static final Duration AMPLE = Duration.ofSeconds(10);

  private static final int CLIENTS = 300;

  private final RedisServer server = RedisServer.start(RedisVersion.newest());
  private final Recorder received = new Recorder();
  private final PrimariesUnderTest primaries = new PrimariesUnderTest();
  private final AtomicInteger errorsInProbes = new AtomicInteger();
  private final AtomicInteger doubts = new AtomicInteger();

  @SuppressWarnings("NullAway.Init") // opened before each test
  private PrimaryClient client;

  @BeforeEach
  void open() {
    client = another(PrimariesUnderTest.refunds(DEADLINE));
    Awaitility.await().until(() -> replies(DEADLINE));
  }

  @AfterEach
  void close() throws InterruptedException {
    client.close();
    client.join(1_000);
    primaries.close();
    server.close();
  }

  @Test
  void a_redis_that_hangs_is_out_though_every_caller_is_in_a_hurry() {
    server.freeze();
    try {
      Awaitility.await()
          .pollInterval(Duration.ofMillis(1))
          .until(() -> !replies(HASTE) && !client.isHealthy());
    } finally {
      server.thaw();
    }
    Awaitility.await().until(() -> client.isHealthy() && replies(DEADLINE));
  }

  @Test
  void refunds_that_cannot_begin_keep_no_connection_from_being_opened_again() throws Exception {
    PrimaryClient other = another(new NoRefunds());
    try {
      Awaitility.await().until(() -> replies(other, DEADLINE));
      server.freeze();
      Awaitility.await().until(() -> !replies(other, DEADLINE) && !other.isHealthy());
      server.thaw();
      Awaitility.await().until(() -> other.isHealthy() && replies(other, DEADLINE));
    } finally {
      other.close();
      other.join(1_000);
    }
  }

  /**
   * While other threads run, a connection may be open before the thread that asks for it goes on.
   */
  @Test
  void a_client_that_is_connected_at_once_is_not_found_unconnected_later() throws Exception {
    AtomicBoolean isOver = new AtomicBoolean();
    List<Thread> busy = Stream.generate(() -> busy(isOver)).limit(4).toList();
    List<PrimaryClient> opened = new ArrayList<>();
    try {
      busy.forEach(Thread::start);
      for (int i = 0; i < CLIENTS; i++) {
        opened.add(another(PrimariesUnderTest.refunds(DEADLINE)));
      }
      isOver.set(true);
      Awaitility.await().until(() -> opened.stream().allMatch(it -> replies(it, AMPLE)));
      Duration untilFound = Duration.ofMillis(1_500);
      Awaitility.await().during(untilFound).until(() -> received.switches.isEmpty());
    } finally {
      isOver.set(true);
      opened.forEach(PrimaryClient::close);
      for (Thread each : busy) {
        each.join();
      }
    }
  }

  private static Thread busy(AtomicBoolean isOver) {
    return new Thread(
        () -> {
          while (!isOver.get()) {
            Thread.onSpinWait();
          }
        });
  }

  private PrimaryClient another(UnsettledCalls unsettled) {
    PrimarySettings settings =
        primaries.settings(server.uri(), DEADLINE, unsettled, received, doubts::incrementAndGet);
    return new PrimaryClient(new Host("127.0.0.1", server.port()), settings, key -> 0, this::probe);
  }

  /** A stub that throws, as it may when memory runs out. */
  private static final class NoRefunds implements UnsettledCalls {

    @Override
    public void addLate(ScriptCall call, List<Long> reply) {
      throw new IllegalStateException("as a test wants");
    }

    @Override
    public void addUnknown(ScriptCall call) {
      throw new IllegalStateException("as a test wants");
    }

    @Override
    public void addUnsent(ScriptCall call) {
      throw new IllegalStateException("as a test wants");
    }
  }

  @Test
  void those_with_minutes_of_time_neither_hide_that_redis_hangs_nor_wait_for_it() {
    isFoundOutBeside(DEADLINE);
  }

  @Test
  void nor_where_all_others_are_in_a_hurry() {
    isFoundOutBeside(HASTE);
  }

  private void isFoundOutBeside(Duration time) {
    server.freeze();
    try {
      List<CompletableFuture<Boolean>> patient = new ArrayList<>();
      for (int i = 0; i < 64; i++) {
        CompletableFuture<Boolean> answer = new CompletableFuture<>();
        Thread thread = new Thread(() -> answer.complete(replies(Duration.ofMinutes(5))));
        thread.setDaemon(true);
        thread.start();
        patient.add(answer);
      }
      Awaitility.await().until(() -> !replies(time) && !client.isHealthy());
      for (CompletableFuture<Boolean> one : patient) {
        assertThat(one).succeedsWithin(AMPLE).isEqualTo(false);
      }
    } finally {
      server.thaw();
    }
    Awaitility.await().until(() -> client.isHealthy() && replies(DEADLINE));
  }

  @Test
  void an_error_in_a_probe_is_reported_and_the_next_probe_comes() {
    errorsInProbes.set(1);
    server.kill();
    Awaitility.await().until(() -> !replies(DEADLINE) && !client.isHealthy());
    server.restart();
    Awaitility.await().until(() -> client.isHealthy());
    assertThat(received.errors).singleElement().asString().contains("planted");
  }

  @Test
  void nobody_who_finds_redis_lost_is_held_up_by_whoever_hears_of_it() throws Exception {
    server.kill();
    received.hearing.acquire();
    try {
      Awaitility.await().until(() -> !replies(DEADLINE) && !client.isHealthy());
    } finally {
      received.hearing.release();
    }
    Awaitility.await().untilAsserted(() -> assertThat(received.switches).contains(Source.LOCAL));
  }

  @Test
  void a_primary_that_is_demoted_or_lost_is_doubted_at_once() {
    try (Jedis redis = server.client()) {
      redis.replicaof("127.0.0.1", FreePorts.next());
    }
    Awaitility.await().until(() -> !replies(DEADLINE) && doubts.get() == 1);
    assertThat(client.isHealthy()).isTrue();
    server.kill();
    Awaitility.await().until(() -> !replies(DEADLINE) && doubts.get() == 2);
    assertThat(client.isHealthy()).isFalse();
  }

  private ScriptCall probe() {
    if (errorsInProbes.getAndDecrement() > 0) {
      throw new AssertionError("planted");
    }
    return primaries.probes().anywhere();
  }

  private boolean replies(Duration within) {
    return replies(client, within);
  }

  private boolean replies(PrimaryClient requested, Duration within) {
    try {
      requested.call(primaries.probes().anywhere(), Deadline.after(within));
      return true;
    } catch (StoreUnavailableException out) {
      return false;
    }
  }
}
