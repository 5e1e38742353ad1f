package dev.weir.redis;

import static dev.weir.fixture.AcquireRequests.charge;
import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.fixture.AcquireRequests;
import dev.weir.store.AcquireRequest;
import dev.weir.store.AcquireRequest.Charge;
import dev.weir.store.Deadline;
import dev.weir.store.Decision;
import dev.weir.store.OnOutage;
import dev.weir.store.Source;
import dev.weir.store.StoreUnavailableException;
import dev.weir.store.Subject;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * Which calls share a command, and what happens to calls that time out or lose their connection.
 */
class BatchingTest {

  private static final Duration DEADLINE = Duration.ofSeconds(4);
  private static final Duration SHORT = Duration.ofMillis(50);

  /** The least number of batches in flight near Redis, and the most behind the proxy. */
  private static final int WINDOW = 2;

  private static final int WIDEST = 40;

  private final RedisServer server = RedisServer.start(RedisVersion.newest());
  private final Recorder received = new Recorder();

  @SuppressWarnings("NullAway.Init") // opened before each test
  private DripProxy proxy;

  @SuppressWarnings("NullAway.Init") // connected before each test
  private RedisLimitStore store;

  @BeforeEach
  void connect() throws IOException {
    proxy = new DripProxy(server.port());
    RedisOptions options =
        RedisOptions.of("redis://127.0.0.1:" + proxy.port(), "batching").withDeadline(DEADLINE);
    store = RedisLimitStore.connect(options, received);
    assertThat(store.awaitAnswer(DEADLINE)).isTrue();
  }

  @AfterEach
  void close() throws IOException {
    store.close();
    proxy.close();
    server.close();
  }

  private static Charge of(String limit) {
    return charge("n", limit, Subject.of("user", "alice"), 1);
  }

  @Test
  void calls_that_come_one_at_a_time_are_sent_one_at_a_time_on_one_connection() {
    long before = server.calls("evalsha");
    for (int i = 0; i < 20; i++) {
      assertThat(AcquireRequests.decide(store, of("1000 per 30 days")).allowed()).isTrue();
    }
    assertThat(server.calls("evalsha") - before).isBetween(20L, 22L); // and heartbeats
    assertThat(proxy.connections()).isEqualTo(1);
  }

  @Test
  void calls_that_come_while_the_window_is_full_share_a_command_in_order_of_arrival() {
    long before = server.calls("evalsha");
    List<CompletableFuture<Decision.Counted>> answers =
        Gathering.at(
            server,
            store,
            Collections.nCopies(3 * WIDEST, AcquireRequests.request(of("1000 per 30 days"))));
    for (int i = 0; i < answers.size(); i++) {
      assertThat(answers.get(i).join().binding().remaining()).isEqualTo(999 - i);
    }
    assertThat(server.calls("evalsha") - before).isBetween(WINDOW + 1L, WIDEST + 4L);
  }

  @Test
  void without_batching_each_has_a_command_of_its_own() {
    RedisOptions options =
        RedisOptions.of(server.uri(), "alone").withDeadline(DEADLINE).withoutBatching();
    try (RedisLimitStore alone = RedisLimitStore.connect(options, received)) {
      assertThat(alone.awaitAnswer(DEADLINE)).isTrue();
      long before = server.calls("evalsha");
      Gathering.at(
              server,
              alone,
              Collections.nCopies(44, AcquireRequests.request(of("1000 per 30 days"))))
          .forEach(CompletableFuture::join);
      assertThat(server.calls("evalsha") - before).isGreaterThanOrEqualTo(44);
    }
  }

  @Test
  void permits_granted_by_a_reply_that_came_too_late_are_refunded() {
    isTimedOut(of("3 per 30 days"));
    Awaitility.await()
        .untilAsserted(
            () ->
                assertThat(AcquireRequests.peek(store, of("3 per 30 days")).binding().remaining())
                    .isEqualTo(3));
  }

  @Test
  void and_held_ones_are_released() {
    isTimedOut(of("3 concurrent, ttl 1h"));
    Awaitility.await()
        .untilAsserted(
            () ->
                assertThat(
                        AcquireRequests.peek(store, of("3 concurrent, ttl 1h"))
                            .binding()
                            .remaining())
                    .isEqualTo(3));
  }

  private void isTimedOut(Charge charge) {
    assertThat(Load.decides(store)).isTrue();
    server.freeze();
    try {
      assertThat(isDecidedWithin(SHORT, charge)).isFalse();
    } finally {
      server.thaw();
    }
  }

  private boolean isDecidedWithin(Duration time, Charge charge) {
    try {
      store.decide(new AcquireRequest(List.of(charge), OnOutage.DENY, Deadline.after(time)));
      return true;
    } catch (StoreUnavailableException late) {
      return false;
    }
  }

  @Test
  void what_could_not_be_sent_in_time_charges_nothing() {
    assertThat(Load.decides(store)).isTrue();
    server.freeze();
    try {
      for (int i = 0; i < WIDEST; i++) {
        assertThat(isDecidedWithin(SHORT, of("100 per 30 days"))).isFalse();
      }
    } finally {
      server.thaw();
    }
    Awaitility.await()
        .untilAsserted(
            () ->
                assertThat(AcquireRequests.peek(store, of("100 per 30 days")).binding().remaining())
                    .isEqualTo(100));
  }

  @Test
  void when_the_connection_is_lost_calls_in_flight_fail_and_queued_ones_use_the_next()
      throws IOException {
    assertThat(Load.decides(store)).isTrue();
    proxy.deafen(true);
    List<CompletableFuture<Boolean>> answers = new ArrayList<>();
    for (int i = 0; i < WINDOW + WIDEST; i++) {
      answers.add(
          Gathering.requested(store, AcquireRequests.request(of("1000 per 30 days")))
              .handle((d, e) -> e == null));
    }
    proxy.cut();
    proxy.deafen(false);
    List<Boolean> decided = answers.stream().map(CompletableFuture::join).toList();
    assertThat(decided.subList(0, WINDOW)).as("in flight").containsOnly(false);
    assertThat(decided.subList(WIDEST, decided.size())).as("queued").containsOnly(true);
    assertThat(proxy.connections())
        .as("each once more at most")
        .isBetween(2, 2 * FewCallersTest.MOST);
    assertThat(received.switches).isEmpty();
  }

  @Test
  void a_Redis_that_stands_still_for_most_of_a_deadline_is_no_outage() {
    assertThat(Load.decides(store)).isTrue();
    server.freeze();
    CompletableFuture<Decision.Counted> waiting =
        Gathering.requested(store, AcquireRequests.request(of("1000 per 30 days")));
    Awaitility.await()
        .pollDelay(DEADLINE.multipliedBy(6).dividedBy(10))
        .atMost(DEADLINE)
        .until(() -> true);
    server.thaw();
    assertThat(waiting.join().source()).isEqualTo(Source.REDIS);
    assertThat(received.switches).isEmpty();
  }
}
