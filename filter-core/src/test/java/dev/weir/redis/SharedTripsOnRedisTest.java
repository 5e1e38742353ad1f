package dev.weir.redis;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.Ask;
import dev.weir.Asks;
import dev.weir.Charge;
import dev.weir.Decision;
import dev.weir.LimiterListener;
import dev.weir.Subject;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.MethodSource;

/** Trips that are full, made for certain: Redis stands still until everybody waits. */
@ParameterizedClass(name = "{0}")
@MethodSource("dev.weir.redis.RedisVersion#all")
class SharedTripsOnRedisTest {

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
      many[i] = Asks.charge("limit" + i, "100 per 30 days", Subject.of("user", "alice"), 1);
    }
    List<Decision.Counted> decisions = together(SharedTrips.MOST_TOGETHER, Asks.ask(many));
    assertThat(decisions).allMatch(Decision::allowed);
    assertThat(Asks.decide(store, many).remaining()).isEqualTo(100 - SharedTrips.MOST_TOGETHER - 1);
  }

  /** So many ask while one waits for his reply. */
  private List<Decision.Counted> together(int times, Ask ask) {
    List<CompletableFuture<Decision.Counted>> answers = new ArrayList<>();
    server.freeze();
    try {
      for (int i = 0; i < times; i++) {
        answers.add(asked(ask));
      }
    } finally {
      server.thaw();
    }
    return answers.stream().map(CompletableFuture::join).toList();
  }

  private CompletableFuture<Decision.Counted> asked(Ask ask) {
    CompletableFuture<Decision.Counted> answer = new CompletableFuture<>();
    Thread thread =
        new Thread(
            () -> {
              try {
                answer.complete(Asks.decide(store, ask));
              } catch (Throwable failure) {
                answer.completeExceptionally(failure);
              }
            });
    thread.setDaemon(true);
    thread.start();
    Awaitility.await()
        .pollInterval(Duration.ofMillis(1))
        .until(() -> thread.getState() == Thread.State.TIMED_WAITING || isReading(thread));
    return answer;
  }

  /** Who makes the trip waits in the socket, which to the JVM is to run. */
  private static boolean isReading(Thread thread) {
    for (StackTraceElement frame : thread.getStackTrace()) {
      if (frame.getMethodName().equals("read") && frame.getClassName().startsWith("java.net.")) {
        return true;
      }
    }
    return false;
  }
}
