package dev.weir.bench.cost;

import dev.weir.bench.peer.Contender;
import dev.weir.bench.peer.NaiveLua;
import dev.weir.bench.peer.Numbers;
import dev.weir.limit.Limit;
import java.util.Map;

/** The cost to Redis of {@code naive-lua}, with its script for a kind of limit. */
record NaiveCost(Meter meter, Replay replay, Call grant, Call denial) {

  /** So many are enough to recognize the call. */
  private static final int TIMES = 3;

  /** Records the calls for token buckets. */
  static NaiveCost record(String uri, Meter meter, Replay replay) throws Exception {
    return record(
        uri, meter, replay, Limit.parse(Numbers.ROOMY.text()), Limit.parse(Numbers.SCARCE.text()));
  }

  /**
   * Records the calls for a limit that always has permits, and for one of the same kind that is
   * full after one permit, for long.
   */
  static NaiveCost record(String uri, Meter meter, Replay replay, Limit roomy, Limit scarce)
      throws Exception {
    try (Contender granting = new NaiveLua(uri, 1, 1, roomy);
        Contender denying = new NaiveLua(uri, 1, 2, scarce)) {
      denying.admits(1); // so that it does not use the key of the other
      return new NaiveCost(
          meter, replay, recorded(replay, granting, 0, true), recorded(replay, denying, 1, false));
    }
  }

  private static Call recorded(Replay replay, Contender naive, int key, boolean isGrant)
      throws Exception {
    return Call.ofMost(
            replay.recorded(
                () -> {
                  for (int i = 0; i < TIMES; i++) {
                    if (naive.admits(key) != isGrant) {
                      throw new IllegalStateException("naive-lua: not as full as expected");
                    }
                  }
                }))
        .get(0);
  }

  Costs once() throws Exception {
    return new Costs(
        Map.of(
            Costs.GRANT, meter.decision(replay, grant),
            Costs.DENIAL, meter.decision(replay, denial)));
  }
}
