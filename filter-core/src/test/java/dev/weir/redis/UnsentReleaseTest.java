package dev.weir.redis;

import static dev.weir.fixture.AcquireRequests.charge;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.weir.store.AcquireRequest;
import dev.weir.store.AcquireRequest.Charge;
import dev.weir.store.Deadline;
import dev.weir.store.LimiterListener;
import dev.weir.store.OnOutage;
import dev.weir.store.StoreUnavailableException;
import dev.weir.store.Subject;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** A call that was never sent acquires no permits and leaves nothing to release. */
class UnsentReleaseTest {

  private static final Duration DEADLINE = Duration.ofMillis(200);
  private static final Duration HASTE = Duration.ofMillis(70);
  private static final Charge HELD =
      charge("unsent", "1000 concurrent, ttl 1h", Subject.of("a"), 1);

  private final PrimariesUnderTest primaries = new PrimariesUnderTest();
  private final ExecutorService threads = Executors.newCachedThreadPool();

  /** Sends nothing, so that each release waits until this test is over. */
  private final Refunds refunds = PrimariesUnderTest.refunds(Duration.ofHours(1));

  @AfterEach
  void close() {
    threads.shutdownNow();
    refunds.close();
    primaries.close();
  }

  @Test
  void a_primary_that_is_out_leaves_nothing_to_release() throws InterruptedException {
    RedisServer server = RedisServer.start(RedisVersion.newest());
    Standalone redis = standalone(server.uri());
    try (server) {
      Awaitility.await().until(() -> isDecided(redis));
      server.kill();
      Awaitility.await().until(() -> !isDecided(redis) && !redis.isHealthy());
      int mayHaveBeenSent = refunds.waiting();
      for (int i = 0; i < 50; i++) {
        assertThat(isDecided(redis)).isFalse();
      }
      assertThat(refunds.waiting()).isEqualTo(mayHaveBeenSent);
    } finally {
      end(redis);
    }
  }

  @Test
  void nor_does_one_that_no_connection_is_had_to() throws Exception {
    try (ServerSocket mute = new ServerSocket(0, 50, InetAddress.getLoopbackAddress())) {
      String greeting = "redis://:secret@127.0.0.1:" + mute.getLocalPort();
      Standalone redis = standalone(greeting);
      StoreUnavailableException failure =
          catchThrowableOfType(StoreUnavailableException.class, () -> decide(redis, DEADLINE));
      assertThat(failure).hasMessageContaining("could not be sent");
      assertThat(refunds.waiting()).isZero();
      end(redis);
    }
  }

  @Test
  void nor_does_who_leaves_a_trip_before_it_has_a_connection() throws Exception {
    try (ServerSocket mute = new ServerSocket(0, 50, InetAddress.getLoopbackAddress())) {
      Standalone redis = standalone("redis://:secret@127.0.0.1:" + mute.getLocalPort());
      List<CompletableFuture<Boolean>> all = new ArrayList<>();
      for (Duration time : List.of(DEADLINE, DEADLINE, HASTE, HASTE)) {
        all.add(CompletableFuture.supplyAsync(() -> isDecided(redis, time), threads));
      }
      assertThat(all).allMatch(decided -> !decided.join());
      assertThat(refunds.waiting()).isZero();
      end(redis);
    }
  }

  @Test
  void what_was_sent_is_released_where_no_reply_has_come() throws InterruptedException {
    RedisServer server = RedisServer.start(RedisVersion.newest());
    Standalone redis = standalone(server.uri());
    try (server) {
      Awaitility.await().until(() -> isDecided(redis));
      int before = refunds.waiting();
      server.freeze();
      assertThat(isDecided(redis)).isFalse();
      server.thaw();
      assertThat(refunds.waiting()).isEqualTo(before + 1);
    } finally {
      end(redis);
    }
  }

  private Standalone standalone(String uri) {
    RedisUri parsed = RedisOptions.of(uri, "unsent").uri();
    return new Standalone(
        parsed.hosts().get(0),
        primaries.settings(uri, DEADLINE, refunds, LimiterListener.NONE, () -> {}),
        primaries.probes());
  }

  private static void end(Standalone redis) throws InterruptedException {
    redis.close();
    redis.join(1_000);
  }

  private boolean isDecided(Standalone redis) {
    return isDecided(redis, DEADLINE);
  }

  private boolean isDecided(Standalone redis, Duration time) {
    try {
      decide(redis, time);
      return true;
    } catch (StoreUnavailableException silent) {
      return false;
    }
  }

  private void decide(Standalone redis, Duration time) throws StoreUnavailableException {
    primaries
        .decider(redis)
        .decide(new AcquireRequest(List.of(HELD), OnOutage.DENY, Deadline.after(time)));
  }
}
