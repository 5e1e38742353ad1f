package dev.weir.redis;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.fixture.AcquireRequests;
import dev.weir.fixture.Full;
import dev.weir.store.AcquireRequest;
import dev.weir.store.AcquireRequest.Charge;
import dev.weir.store.AcquireRequest.Mode;
import dev.weir.store.Decision;
import dev.weir.store.LimitStore;
import dev.weir.store.LimiterListener;
import dev.weir.store.StoreUnavailableException;
import dev.weir.store.Subject;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.ToDoubleFunction;
import java.util.stream.IntStream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import redis.clients.jedis.Jedis;

/** More callers than Redis, the network or this machine can serve. */
@SuppressWarnings("SystemOut") // the figures are this test's result
@Full
class RedisOverloadTest {

  private static final Duration DEADLINE = Duration.ofMillis(100);
  private static final Duration WARM_UP = Duration.ofSeconds(3);
  private static final Duration PHASE = Duration.ofSeconds(4);

  private static final int ROUNDS = 3;
  private static final Duration SATURATED = Duration.ofSeconds(35);

  private static final long QUOTA = 10_000_000;

  /** The most that comes back between two looks: four permits a second. */
  private static final long REFILLED = 2;

  private static final String ROOMY = QUOTA + " per 30 days";

  private static RedisLimitStore connect(FarRedis redis) {
    RedisOptions options = RedisOptions.of(redis.uri(), "overload").withDeadline(DEADLINE);
    RedisLimitStore store = RedisLimitStore.connect(options, LimiterListener.NONE);
    assertThat(store.awaitAnswer(Duration.ofSeconds(10))).isTrue();
    return store;
  }

  private static Load.Replied once(LimitStore store) {
    return Load.once(store, Load.request(ROOMY, DEADLINE));
  }

  /**
   * Returns what Redis has counted, once only the refill changes it: late replies are refunded
   * after the load has ended.
   */
  private static long charged(LimitStore store) {
    Charge charge = AcquireRequests.charge("load", ROOMY, Subject.of("load"), 1);
    AcquireRequest peek = AcquireRequests.request(Mode.PEEK, charge);
    AtomicLong last = new AtomicLong(-1);
    Awaitility.await()
        .pollInterval(DEADLINE.multipliedBy(2))
        .ignoreException(StoreUnavailableException.class)
        .until(
            () -> {
              Decision.Counted counted = (Decision.Counted) store.decide(peek);
              long charged = QUOTA - counted.binding().remaining();
              return Math.abs(charged - last.getAndSet(charged)) <= REFILLED;
            });
    return last.get();
  }

  /**
   * The result of a round.
   *
   * @param unanswered of all calls that stay charged, the part that gave the caller no answer
   */
  private record Round(double perSecond, double unanswered) {}

  private static Round round(LimitStore store, int callers) {
    long chargedBefore = charged(store);
    Callers all = new Callers(List.of(store), callers, RedisOverloadTest::once);
    Callers.Counts tally;
    try (all) {
      all.during(WARM_UP);
      tally = all.during(PHASE);
    }
    long charged = charged(store) - chargedBefore;
    return new Round(tally.perSecond(), (charged - all.decided()) / (double) charged);
  }

  private static double median(List<Round> rounds, ToDoubleFunction<Round> figure) {
    return rounds.stream().mapToDouble(figure).sorted().toArray()[rounds.size() / 2];
  }

  @Test
  void a_thousand_callers_50_ms_away_are_served_as_300_are_and_charged_for_what_they_get() {
    try (FarRedis redis = FarRedis.at(Duration.ofMillis(50));
        RedisLimitStore store = connect(redis)) {
      List<Round> few = new ArrayList<>();
      List<Round> many = new ArrayList<>();
      for (int i = 0; i < ROUNDS; i++) {
        few.add(round(store, 300));
        many.add(round(store, 1_000));
      }
      System.out.printf("50 ms away: 300 callers %s, 1000 callers %s%n", few, many);
      assertThat(median(many, Round::perSecond))
          .isGreaterThanOrEqualTo(0.9 * median(few, Round::perSecond));
      // a pause of the machine cuts connections, and only adds to what is unanswered
      assertThat(many).anySatisfy(round -> assertThat(round.unanswered).isLessThan(0.01));
    }
  }

  /** Another application keeps Redis busy, so that little is left for four nodes of ours. */
  @Test
  void four_nodes_that_saturate_one_redis_widen_no_window_and_are_not_answered_later_and_later() {
    try (FarRedis redis = FarRedis.at(Duration.ofMillis(2));
        RedisLimitStore one = connect(redis);
        RedisLimitStore two = connect(redis);
        RedisLimitStore three = connect(redis);
        RedisLimitStore four = connect(redis)) {
      List<RedisLimitStore> nodes = List.of(one, two, three, four);
      try (Callers alone = new Callers(nodes, 1, RedisOverloadTest::once)) {
        alone.during(WARM_UP);
      }
      int unloadedWindow = widest(nodes);
      try (Neighbour neighbour = new Neighbour(redis.server());
          Callers callers = new Callers(nodes, 64, RedisOverloadTest::once)) {
        callers.during(WARM_UP);
        List<Callers.Counts> early = phases(callers);
        callers.during(SATURATED);
        List<Callers.Counts> late = phases(callers);
        int saturatedWindow = widest(nodes);

        System.out.printf(
            "4 nodes: p99 %d, then %d ms; window %d, then %d; %.0f/s, then %.0f/s; neighbour %d%n",
            p99Millis(early),
            p99Millis(late),
            unloadedWindow,
            saturatedWindow,
            perSecond(early),
            perSecond(late),
            neighbour.calls());
        assertThat(saturatedWindow).isBetween(2, unloadedWindow);
        assertThat(p99Millis(late)).isLessThan(p99Millis(early) * 3 / 2);
        assertThat(perSecond(late)).isGreaterThan(perSecond(early) / 2);
      }
    }
  }

  private static List<Callers.Counts> phases(Callers callers) {
    return IntStream.range(0, ROUNDS).mapToObj(i -> callers.during(PHASE)).toList();
  }

  private static long p99Millis(List<Callers.Counts> phases) {
    return phases.stream().mapToLong(Callers.Counts::p99Millis).sorted().toArray()[ROUNDS / 2];
  }

  private static double perSecond(List<Callers.Counts> phases) {
    return phases.stream().mapToDouble(Callers.Counts::perSecond).sorted().toArray()[ROUNDS / 2];
  }

  /** An application that calls a script of 4 ms again and again. */
  private static final class Neighbour implements AutoCloseable {

    private static final String BUSY =
        """
        local function now()
          local time = redis.call('TIME')
          return time[1] * 1000000 + time[2]
        end
        local ends = now() + 4000
        while now() < ends do
        end
        """;

    private final AtomicLong calls = new AtomicLong();
    private final Thread thread;
    private volatile boolean closed;

    Neighbour(RedisServer server) {
      thread = new Thread(() -> callAll(server));
      thread.setDaemon(true);
      thread.start();
    }

    private void callAll(RedisServer server) {
      try (Jedis redis = server.client()) {
        while (!closed) {
          redis.eval(BUSY);
          calls.incrementAndGet();
        }
      }
    }

    long calls() {
      return calls.get();
    }

    @Override
    public void close() {
      closed = true;
      Awaitility.await().until(() -> !thread.isAlive());
    }
  }

  private static int widest(List<RedisLimitStore> nodes) {
    return nodes.stream()
        .flatMap(node -> node.status().primaries().stream())
        .mapToInt(RedisStatus.Primary::window)
        .max()
        .orElseThrow();
  }
}
