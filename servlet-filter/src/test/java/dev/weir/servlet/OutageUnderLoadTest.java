package dev.weir.servlet;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.config.Weir;
import dev.weir.fixture.Alone;
import dev.weir.fixture.Full;
import dev.weir.http.RawHttp;
import dev.weir.redis.RedisServer;
import dev.weir.redis.RedisVersion;
import dev.weir.servlet.OpenLoop.Answer;
import dev.weir.store.Source;
import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Redis goes and comes back under load that does not wait. Every bound is held against the same
 * load without the fault, run just before and after it: only what the fault adds is ours. A longest
 * answer is one request of many thousands, and whatever else the machine does is in it; so of
 * several faults the median counts.
 */
@SuppressWarnings("SystemOut") // the figures are this test's result
@Alone
class OutageUnderLoadTest {

  private static final int ROUNDS = 3;
  private static final Duration CONTROL = Duration.ofSeconds(2);
  private static final Duration UNTIL_FAULT = Duration.ofSeconds(1);
  private static final Duration OUTAGE = Duration.ofSeconds(2);
  private static final Duration FAULTY_RUN = Duration.ofSeconds(6);

  private static final Duration DEADLINE = Duration.ofMillis(100);
  private static final Duration GRACE = Duration.ofMillis(20);
  private static final Duration RETURN = Duration.ofSeconds(3);

  private static final int NODES = 2;
  private static final int RATE = 200;
  private static final int BURST = 100;

  /** What happens to Redis, and what ends it. */
  private enum Fault {
    KILLED {
      @Override
      void begin(RedisServer redis) {
        redis.kill();
      }

      @Override
      void end(RedisServer redis) {
        redis.restart();
      }
    },
    FROZEN {
      @Override
      void begin(RedisServer redis) {
        redis.freeze();
      }

      @Override
      void end(RedisServer redis) {
        redis.thaw();
      }
    };

    abstract void begin(RedisServer redis);

    abstract void end(RedisServer redis);
  }

  /**
   * When the fault began, Redis was whole again, and it decided again, by {@link System#nanoTime}.
   */
  private record Timeline(long began, long healed, long returned) {}

  @Full
  @ParameterizedTest
  @EnumSource(Fault.class)
  void limiting_goes_on_at_the_nodes_share_and_nobody_waits_beyond_the_deadline(Fault fault)
      throws Exception {
    try (RedisServer redis = RedisServer.start(RedisVersion.newest());
        Weir weir = weir(redis);
        JettyServlets jetty = jetty(weir);
        OpenLoop load = new OpenLoop(URI.create(jetty.base() + "/"))) {
      awaitStore(Source.REDIS, weir);
      load.capacityPerSecond(Duration.ofSeconds(2));
      double half = load.capacityPerSecond(Duration.ofSeconds(2)) / 2;
      double perSecond = Math.min(half, OpenLoop.mostPerSecond(DEADLINE));
      List<Duration> controls = new ArrayList<>(List.of(worst(load.run(perSecond, CONTROL))));
      List<Duration> faults = new ArrayList<>();
      for (int i = 0; i < ROUNDS; i++) {
        faults.add(worstOfOutage(fault, redis, weir, load, perSecond));
        controls.add(worst(load.run(perSecond, CONTROL)));
      }

      System.out.printf("Redis %s: worst %s, without the fault %s%n", fault, faults, controls);
      Duration control = Collections.max(controls);
      assertThat(median(faults)).isLessThanOrEqualTo(DEADLINE.plus(GRACE).plus(control));
    }
  }

  /** One fault under the load: everything but its longest answer is held here. */
  private static Duration worstOfOutage(
      Fault fault, RedisServer redis, Weir weir, OpenLoop load, double perSecond)
      throws InterruptedException {
    CompletableFuture<Timeline> happening =
        CompletableFuture.supplyAsync(() -> happen(fault, redis, weir));
    List<Answer> answers = load.run(perSecond, FAULTY_RUN);
    Timeline timeline = happening.join();
    report(fault, perSecond, answers, timeline);
    assertThat(answers).extracting(Answer::status).containsOnly(200, 429);
    assertShare(granted(answers, timeline), timeline);
    assertThat(Duration.ofNanos(timeline.returned - timeline.healed)).isLessThan(RETURN);
    return worst(answers);
  }

  private static Duration median(List<Duration> times) {
    return times.stream().sorted().toList().get(times.size() / 2);
  }

  /** Classes are loaded by one that was started before: only what the fault adds is ours. */
  @Test
  void an_application_started_while_Redis_is_down_serves_at_once_and_moves_to_it()
      throws Exception {
    try (RedisServer redis = RedisServer.start(RedisVersion.newest())) {
      serveOnce(redis);
      redis.kill();
      long start = System.nanoTime();
      try (Weir weir = weir(redis);
          JettyServlets jetty = jetty(weir)) {
        assertThat(new RawHttp(jetty.base()).get("/").status()).isEqualTo(200);
        assertThat(Duration.ofNanos(System.nanoTime() - start)).isLessThan(Duration.ofSeconds(1));
        assertThat(weir.status().store()).isEqualTo(Source.LOCAL);
        redis.restart();
        awaitStore(Source.REDIS, weir);
      }
    }
  }

  private static void serveOnce(RedisServer redis) throws Exception {
    try (Weir weir = weir(redis);
        JettyServlets jetty = jetty(weir)) {
      assertThat(new RawHttp(jetty.base()).get("/").status()).isEqualTo(200);
    }
  }

  /** The outage is longer than the fault: it ends when Redis decides again. */
  private static void assertShare(long granted, Timeline timeline) {
    double seconds = (timeline.healed - timeline.began) / 1e9;
    double share = (double) RATE / NODES * seconds;
    assertThat((double) granted)
        .isBetween(0.8 * share, (double) RATE / NODES * seconds + BURST / NODES + RATE * 0.2);
  }

  /** From a moment after the fault, when what Redis had granted before is answered. */
  private static long granted(List<Answer> answers, Timeline timeline) {
    return answers.stream()
        .filter(answer -> answer.status() == 200)
        .filter(answer -> answer.dueNanos() - timeline.began > 0)
        .filter(answer -> timeline.healed - answer.dueNanos() > 0)
        .count();
  }

  private static Duration worst(List<Answer> answers) {
    return Duration.ofNanos(answers.stream().mapToLong(Answer::latencyNanos).max().orElseThrow());
  }

  private static Timeline happen(Fault fault, RedisServer redis, Weir weir) {
    pause(UNTIL_FAULT);
    long began = System.nanoTime();
    fault.begin(redis);
    pause(OUTAGE);
    fault.end(redis);
    long healed = System.nanoTime();
    awaitStore(Source.REDIS, weir);
    return new Timeline(began, healed, System.nanoTime());
  }

  /** The load runs in real time, and so must what happens to it. */
  private static void pause(Duration time) {
    Awaitility.await().pollDelay(time).atMost(time.plusSeconds(5)).until(() -> true);
  }

  private static void awaitStore(Source store, Weir weir) {
    Awaitility.await()
        .pollInterval(Duration.ofMillis(5))
        .atMost(Duration.ofSeconds(10))
        .until(() -> weir.status().store() == store);
  }

  private static void report(
      Fault fault, double perSecond, List<Answer> answers, Timeline timeline) {
    System.out.printf(
        "Redis %s at %.0f requests/s: worst answer %d ms; granted %d in %d ms without Redis; back"
            + " %d ms after it%n",
        fault,
        perSecond,
        worst(answers).toMillis(),
        granted(answers, timeline),
        TimeUnit.NANOSECONDS.toMillis(timeline.healed - timeline.began),
        TimeUnit.NANOSECONDS.toMillis(timeline.returned - timeline.healed));
  }

  private static Weir weir(RedisServer redis) {
    return Weir.of(
        """
        application: outage
        redis: %s
        nodes: %d
        limits: { load: "%d per second, burst %d" }
        rules: [{ name: load, match: /**, subject: global, limits: [load] }]
        """
            .formatted(redis.uri(), NODES, RATE, BURST));
  }

  private static JettyServlets jetty(Weir weir) throws Exception {
    return new JettyServlets()
        .filter(new RateLimitFilter(weir))
        .servlet("/", (request, response) -> response.setStatus(200))
        .start();
  }
}
