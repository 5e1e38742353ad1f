package dev.weir.local;

import static dev.weir.fixture.AcquireRequests.charge;
import static dev.weir.fixture.AcquireRequests.decide;
import static dev.weir.fixture.AcquireRequests.refund;
import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.FailoverLimitStore;
import dev.weir.fixture.ManualTime;
import dev.weir.fixture.SwitchableStore;
import dev.weir.fixture.TestRun;
import dev.weir.limit.Limit;
import dev.weir.store.AcquireRequest.Charge;
import dev.weir.store.Decision;
import dev.weir.store.Subject;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * An hour of an outage in virtual time. Nodes decide by their shares, and one request may cost more
 * than a share. Where requests come at one time, cheap ones come first.
 */
class DebtSimulationTest {

  private static final int SEEDS = TestRun.pick(3, 100);
  private static final int MINUTES = 60;
  private static final int STEPS_PER_MINUTE = 300;
  private static final long MINUTE = Duration.ofMinutes(1).toNanos();
  private static final long STEP = MINUTE / STEPS_PER_MINUTE;

  private final ManualTime time = new ManualTime();

  /** Cheap requests of a node by how much of the share they ask for; 0 for none. */
  private record Traffic(double cheap, boolean dear) {

    static Traffic of(String name) {
      return switch (name) {
        case "cheap" -> new Traffic(10, false);
        case "dear" -> new Traffic(0, true);
        case "mixed" -> new Traffic(10, true);
        case "half" -> new Traffic(0.5, true);
        default -> throw new IllegalArgumentException(name);
      };
    }
  }

  /** One node, its books, and a client that returns when it is told to. */
  private final class Node {
    private final LocalLimitStore store;
    private final DebtLedger ledger;
    private final Charge cheap;
    private final Charge dear;
    private final Traffic traffic;
    private double due;
    private long dearAtNanos;
    private long dearSinceNanos;
    private long longestWaitNanos;

    Node(String limit, int nodes, long cost, Traffic traffic) {
      Subject subject = Subject.global();
      this.store = store(nodes);
      this.cheap = charge("limit", limit, subject, 1);
      this.dear = charge("limit", limit, subject, cost);
      this.traffic = traffic;
      this.ledger = DebtLedger.of(Limit.parse(limit), (double) share(limit, nodes));
      this.dearAtNanos = traffic.dear ? 0 : Long.MAX_VALUE;
    }

    void requestCheap(long nowNanos) {
      due += traffic.cheap * ledger.share / STEPS_PER_MINUTE;
      for (; due >= 1; due--) {
        request(cheap, nowNanos);
      }
    }

    void requestDear(long nowNanos) {
      Decision decision = request(dear, nowNanos);
      if (decision.allowed()) {
        longestWaitNanos = Math.max(longestWaitNanos, nowNanos - dearSinceNanos);
        dearSinceNanos = nowNanos;
        decision = request(dear, nowNanos);
        assertThat(decision.allowed()).as("one after the other").isFalse();
      }
      dearAtNanos = nowNanos + decision.retryAfter().orElseThrow().toNanos();
    }

    private Decision request(Charge charge, long nowNanos) {
      ledger.at(nowNanos);
      Decision decision = decide(store, charge);
      if (decision.allowed()) {
        ledger.admit((double) charge.permits());
      }
      return decision;
    }
  }

  private LocalLimitStore store(int nodes) {
    return LocalLimitStore.of(LocalOptions.of().withNodes(nodes).withTime(time, time::instant));
  }

  private static long share(String limit, int nodes) {
    long capacity = Limit.parse(limit).capacity();
    boolean isWindow = limit.endsWith("window") || limit.endsWith("sliding");
    return isWindow ? capacity / nodes : (capacity + nodes - 1) / nodes;
  }

  @ParameterizedTest
  @CsvSource({"cheap", "dear", "mixed", "half"})
  void what_is_admitted_less_what_is_owed_is_fair_at_every_minute(String traffic) {
    for (String form : List.of("", " leaky", " window", " sliding")) {
      run(100 + " per minute" + form, 10, 50, Traffic.of(traffic));
      run(100 + " per minute" + form, 10, 11, Traffic.of(traffic));
      for (int seed = 0; seed < SEEDS; seed++) {
        SplittableRandom random = new SplittableRandom(seed);
        int nodes = 2 + random.nextInt(9);
        long limit = nodes * (10 + random.nextLong(40));
        long share = limit / nodes;
        long cost = share + 1 + random.nextLong(limit - share);
        run(limit + " per minute" + form, nodes, cost, Traffic.of(traffic));
      }
    }
  }

  private void run(String limit, int nodes, long cost, Traffic traffic) {
    String run = "%s by %d, dear %d, %s".formatted(limit, nodes, cost, traffic);
    List<Node> all =
        IntStream.range(0, nodes).mapToObj(i -> new Node(limit, nodes, cost, traffic)).toList();
    long nowNanos = 0;
    for (long step = 1; step <= MINUTES * STEPS_PER_MINUTE; step++) {
      for (Node node : all) {
        node.requestCheap(nowNanos);
      }
      long endNanos = step * STEP;
      while (true) {
        long nextNanos = Math.min(endNanos, nextDear(all));
        time.advance(Duration.ofNanos(nextNanos - nowNanos));
        nowNanos = nextNanos;
        if (nowNanos == endNanos) {
          break;
        }
        requestDear(all, nowNanos);
      }
      if (endNanos % MINUTE == 0) {
        checkFair(all, nowNanos, run);
      }
    }
    double costNanos = cost / all.get(0).ledger.perNano;
    for (Node node : all) {
      assertThat((double) node.longestWaitNanos).as(run).isLessThanOrEqualTo(3 * costNanos);
    }
  }

  private static long nextDear(List<Node> nodes) {
    return nodes.stream().mapToLong(node -> node.dearAtNanos).min().orElseThrow();
  }

  private static void requestDear(List<Node> nodes, long nowNanos) {
    nodes.stream()
        .filter(node -> node.dearAtNanos <= nowNanos)
        .forEach(node -> node.requestDear(nowNanos));
  }

  /** Just before the minute is over. */
  private static void checkFair(List<Node> nodes, long endNanos, String run) {
    double net = 0;
    double fair = 0;
    double burst = 0;
    for (Node node : nodes) {
      node.ledger.at(endNanos - 1);
      net += node.ledger.admitted - node.ledger.owed();
      fair += node.ledger.fair(endNanos);
      burst += node.ledger.burst();
    }
    assertThat(net)
        .as("%s, minute %d", run, endNanos / MINUTE)
        .isBetween(0.85 * fair, 1.05 * (fair + burst));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "100 per minute",
        "100 per minute leaky",
        "100 per minute window",
        "100 per minute window UTC",
        "100 per minute sliding"
      })
  void ten_flaps_in_a_minute_admit_at_most_one_dear_request_for_each_node(String limit) {
    int nodes = 10;
    Charge dear = charge("limit", limit, Subject.global(), 50);
    SwitchableStore shared =
        new SwitchableStore(LocalLimitStore.of(LocalOptions.of().withTime(time, time::instant)));
    decide(shared, dear, charge("other", "1 per second", Subject.global(), 1));
    List<FailoverLimitStore> all =
        IntStream.range(0, nodes)
            .mapToObj(i -> FailoverLimitStore.of(shared, store(nodes), time))
            .toList();
    int admitted = 0;
    for (int flap = 0; flap < 10; flap++) {
      shared.switchOff();
      for (int tenths = 0; tenths < 30; tenths++) {
        for (FailoverLimitStore node : all) {
          admitted += decide(node, dear).allowed() ? 1 : 0;
        }
        time.advance(Duration.ofMillis(100));
      }
      shared.switchOn();
      time.advance(Duration.ofSeconds(2));
      all.forEach(node -> decide(node, charge("other", "9 per second", Subject.global(), 1)));
      time.advance(Duration.ofSeconds(1));
    }
    assertThat(admitted).isEqualTo(nodes);
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3})
  void a_concurrency_limit_holds_no_more_than_the_shares_and_one_dear_request_for_each_node(
      long seed) {
    SplittableRandom random = new SplittableRandom(seed);
    int nodes = 5;
    Charge cheap = charge("limit", "100 concurrent, ttl 1m", Subject.global(), 1);
    Charge dear = charge("limit", "100 concurrent, ttl 1m", Subject.global(), 70);
    for (int node = 0; node < nodes; node++) {
      LocalLimitStore store = store(nodes);
      List<Decision.Counted> cheapHeld = new ArrayList<>();
      List<Decision.Counted> dearHeld = new ArrayList<>();
      int dearServed = 0;
      for (int i = 0; i < 5_000; i++) {
        boolean isDear = random.nextInt(4) == 0;
        Decision.Counted decision = decide(store, isDear ? dear : cheap);
        if (decision.allowed()) {
          (isDear ? dearHeld : cheapHeld).add(decision);
          dearServed += isDear ? 1 : 0;
        }
        assertThat(cheapHeld.size()).as("cheap ones that hold").isLessThanOrEqualTo(20);
        assertThat(dearHeld.size()).as("dear ones that hold").isLessThanOrEqualTo(1);
        for (List<Decision.Counted> held : List.of(cheapHeld, dearHeld)) {
          if (!held.isEmpty() && random.nextInt(3) == 0) {
            refund(store, held.remove(0));
          }
        }
        time.advance(Duration.ofMillis(100));
      }
      assertThat(dearServed).isGreaterThan(3);
    }
  }
}
