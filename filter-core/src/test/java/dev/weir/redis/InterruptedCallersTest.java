package dev.weir.redis;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.store.AcquireRequest;
import dev.weir.store.LimiterListener;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;

/**
 * A thread whose interrupt flag is set is decided for by Redis as any other, and keeps the flag.
 * {@link VirtualCallersTest} has the same for virtual threads.
 */
class InterruptedCallersTest {

  private static final int CALLERS = 32;
  private static final int CALLS = 200;
  private static final Duration AMPLE = Duration.ofSeconds(10);

  @Test
  void interrupted_threads_among_others_are_decided_by_redis_and_stay_interrupted()
      throws InterruptedException {
    try (RedisServer server = RedisServer.start(RedisVersion.newest());
        RedisLimitStore store = connect(server.uri())) {
      Awaitility.await().until(() -> Load.decides(store));
      AtomicInteger decided = new AtomicInteger();
      AtomicInteger kept = new AtomicInteger();
      List<Thread> callers = new ArrayList<>();
      for (int i = 0; i < CALLERS; i++) {
        boolean isInterrupted = i % 2 == 0;
        callers.add(
            new Thread(
                () -> {
                  for (int call = 0; call < CALLS; call++) {
                    if (isInterrupted) {
                      Thread.currentThread().interrupt();
                    }
                    if (Load.once(store, AMPLE).decision().isPresent()) {
                      decided.incrementAndGet();
                    }
                    if (Thread.interrupted() == isInterrupted) {
                      kept.incrementAndGet();
                    }
                  }
                }));
      }
      callers.forEach(Thread::start);
      for (Thread caller : callers) {
        caller.join();
      }
      assertThat(decided.get()).isEqualTo(CALLERS * CALLS);
      assertThat(kept.get()).isEqualTo(CALLERS * CALLS);
      assertThat(store.isHealthy()).isTrue();
    }
  }

  /** Its first call of a cluster waits until the primaries are known. */
  @Test
  void so_is_the_first_call_of_a_process() {
    try (RedisServers cluster = RedisServers.cluster(RedisVersion.newest(), 1)) {
      cluster.get(0).freeze();
      try (RedisLimitStore store = connect(cluster.uri())) {
        AcquireRequest request = Load.request(AMPLE);
        CompletableFuture<Boolean> isKept = new CompletableFuture<>();
        CompletableFuture<Boolean> isDecided = new CompletableFuture<>();
        Thread caller =
            new Thread(
                () -> {
                  Thread.currentThread().interrupt();
                  isDecided.complete(Load.once(store, request).decision().isPresent());
                  isKept.complete(Thread.currentThread().isInterrupted());
                });
        caller.start();
        Awaitility.await().until(() -> caller.getState() == Thread.State.TIMED_WAITING);
        cluster.get(0).thaw();
        assertThat(isKept.join()).isTrue();
        assertThat(isDecided.join()).isTrue();
      }
    }
  }

  private static RedisLimitStore connect(String uri) {
    RedisOptions options = RedisOptions.of(uri, "interrupted").withDeadline(AMPLE);
    return RedisLimitStore.connect(options, LimiterListener.NONE);
  }
}
