package dev.weir.bench.cost;

import dev.weir.bench.peer.Contender;
import dev.weir.bench.peer.NaiveLua;
import dev.weir.bench.peer.Numbers;
import dev.weir.limit.Limit;
import dev.weir.limit.SlidingWindow;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/**
 * The cost to Redis of {@code naive-lua}, with its script for a kind of limit.
 *
 * @param window the length of a sliding window, else zero
 */
record NaiveCost(Meter meter, Replay replay, Call grant, Call denial, Duration window) {

  /** So many are enough to recognize the call. */
  private static final int TIMES = 3;

  /** So many fill each limit that is to be full. */
  private static final int FILLING = 100;

  /** Records the calls for token buckets. */
  static NaiveCost record(String uri, Meter meter, Replay replay) throws Exception {
    return record(
        uri, meter, replay, Limit.parse(Numbers.ROOMY.text()), Limit.parse(Numbers.SCARCE.text()));
  }

  /**
   * Records the calls for a limit that always has permits, and for one of its kind that is full.
   */
  static NaiveCost record(String uri, Meter meter, Replay replay, Limit roomy, Limit full)
      throws Exception {
    try (Contender granting = new NaiveLua(uri, 1, 1, roomy);
        Contender denying = new NaiveLua(uri, 1, 2, full)) {
      Duration window = roomy instanceof SlidingWindow sliding ? sliding.length() : Duration.ZERO;
      return new NaiveCost(
          meter, replay, recorded(replay, granting, 0), recorded(replay, denying, 1), window);
    }
  }

  private static Call recorded(Replay replay, Contender naive, int key) throws Exception {
    return Call.ofMost(
            replay.recorded(
                () -> {
                  for (int i = 0; i < TIMES; i++) {
                    boolean unused = naive.admits(key);
                  }
                }))
        .get(0);
  }

  /**
   * @throws IllegalStateException when a grant was denied, or denials were granted
   */
  Costs once() throws Exception {
    Verdicts grants = new Verdicts();
    double granting = cost(grant, grants);
    grants.requireGrants();
    Verdicts denials = new Verdicts();
    double denying = cost(denial, denials);
    denials.requireDenials();
    return new Costs(Map.of(Costs.GRANT, granting, Costs.DENIAL, denying));
  }

  private double cost(Call call, Verdicts verdicts) throws Exception {
    use(call);
    return meter.repeated(() -> verdicts.add(replay.send(Meter.PIPELINE, call))) / Meter.PIPELINE;
  }

  /** Fills it. A sliding window has permits of the window before too, as that of a busy client. */
  private void use(Call call) throws InterruptedException {
    replay.send(FILLING, call);
    if (!window.isZero()) {
      TimeUnit.NANOSECONDS.sleep(window.toNanos());
      replay.send(FILLING, call);
    }
  }
}
