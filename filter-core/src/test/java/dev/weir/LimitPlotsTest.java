package dev.weir;

import static dev.weir.fixture.AcquireRequests.charge;
import static dev.weir.fixture.AcquireRequests.peek;
import static dev.weir.fixture.AcquireRequests.refund;
import static dev.weir.fixture.AcquireRequests.within;
import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.LimitPlot.Colours;
import dev.weir.fixture.Documents;
import dev.weir.fixture.ManualTime;
import dev.weir.limit.Limit.Algorithm;
import dev.weir.local.LocalLimitStore;
import dev.weir.local.LocalOptions;
import dev.weir.store.AcquireRequest.Charge;
import dev.weir.store.Decision;
import dev.weir.store.Subject;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Locale;
import java.util.Random;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The plots of the page of limits show what each algorithm decides about the same requests. */
class LimitPlotsTest {

  private static final int STEP_MILLIS = 10;
  private static final int END_MILLIS = 14_500;

  /** How long a request runs. Only a concurrency limit notices. */
  private static final int RUN_MILLIS = 600;

  /** How long a request can wait: for longer than any waits here. */
  private static final Duration PATIENCE = Duration.ofSeconds(10);

  /** A granted request that runs until this time. */
  private record Running(int endMillis, Decision.Counted granted) {}

  @ParameterizedTest
  @EnumSource
  void a_plot_shows_what_its_limit_decides(Algorithm algorithm) throws IOException {
    LimitPlot plot = plot(algorithm);
    assertUpToDate(file(algorithm), plot.svg(Colours.LIGHT));
    assertUpToDate(file(algorithm) + "-dark", plot.svg(Colours.DARK));
  }

  private static String limit(Algorithm algorithm) {
    return switch (algorithm) {
      case TOKEN_BUCKET -> "5 per second, burst 15";
      case LEAKY_BUCKET -> "5 per second leaky, capacity 15";
      case FIXED_WINDOW -> "15 per 3s window";
      case SLIDING_WINDOW -> "15 per 3s sliding";
      case CONCURRENCY -> "4 concurrent";
    };
  }

  private static String curve(Algorithm algorithm) {
    return switch (algorithm) {
      case TOKEN_BUCKET, FIXED_WINDOW, SLIDING_WINDOW -> "left";
      case LEAKY_BUCKET -> "waiting";
      case CONCURRENCY -> "held";
    };
  }

  private static String file(Algorithm algorithm) {
    String name = algorithm.name().toLowerCase(Locale.ROOT).replace('_', '-');
    return "docs/images/limit-" + name;
  }

  /** The arrivals of requests: a burst, a pause, a steady flood, and a pause. */
  private static Deque<Integer> arrivals() {
    Random random = new Random(39);
    Deque<Integer> arrivals = new ArrayDeque<>();
    for (int i = 0; i < 20; i++) {
      arrivals.add(stepped(500 + 20 * i + random.nextInt(20)));
    }
    for (int i = 0; i < 84; i++) {
      arrivals.add(stepped(4_000 + 1_000 * i / 12 + random.nextInt(60)));
    }
    return arrivals;
  }

  private static int stepped(int millis) {
    return millis / STEP_MILLIS * STEP_MILLIS;
  }

  /** Decides about the requests of one client, in process and in the time of a test. */
  private static LimitPlot plot(Algorithm algorithm) {
    ManualTime time = new ManualTime();
    Charge one = charge("plot", limit(algorithm), Subject.of("a client"), 1);
    long capacity = one.counter().limit().capacity();
    Duration patience = algorithm == Algorithm.LEAKY_BUCKET ? PATIENCE : Duration.ZERO;
    LimitPlot plot = new LimitPlot(limit(algorithm), curve(algorithm), capacity, END_MILLIS);
    Deque<Integer> arrivals = arrivals();
    Deque<Running> running = new ArrayDeque<>();
    List<Integer> runs = new ArrayList<>();
    try (LocalLimitStore store =
        LocalLimitStore.of(LocalOptions.of().withTime(time, time::instant))) {
      for (int now = 0; now <= END_MILLIS; now += STEP_MILLIS) {
        while (!running.isEmpty() && running.element().endMillis <= now) {
          refund(store, running.remove().granted);
        }
        while (!arrivals.isEmpty() && arrivals.element() <= now) {
          int arrival = arrivals.remove();
          Decision.Counted decision = within(store, patience, one);
          plot.request(arrival, decision.allowed());
          if (decision.allowed() && algorithm.isHeld()) {
            running.add(new Running(now + RUN_MILLIS, decision));
          } else if (decision.allowed() && !patience.isZero()) {
            int run = now + (int) decision.delay().toMillis();
            runs.add(run);
            plot.run(run);
          }
        }
        plot.level(now, level(algorithm, peek(store, one), runs, now));
        time.advance(Duration.ofMillis(STEP_MILLIS));
      }
    }
    return plot;
  }

  /** Returns the value of the curve. What waits is read from the decisions. */
  private static long level(
      Algorithm algorithm, Decision.Counted peeked, List<Integer> runs, int now) {
    long left = peeked.binding().remaining();
    return switch (algorithm) {
      case TOKEN_BUCKET, FIXED_WINDOW, SLIDING_WINDOW -> left;
      case LEAKY_BUCKET -> runs.stream().filter(run -> run > now).count();
      case CONCURRENCY -> peeked.binding().counter().limit().capacity() - left;
    };
  }

  /** Writes the file where the tests run with {@code -Dweir.write=true}. */
  private static void assertUpToDate(String name, String made) throws IOException {
    Path path = Documents.root().resolve(name + ".svg");
    if (Boolean.getBoolean("weir.write")) {
      Files.createDirectories(path.getParent());
      Files.writeString(path, made);
    }
    assertThat(path).as("mvn test -Dweir.write=true writes it").hasContent(made);
  }
}
