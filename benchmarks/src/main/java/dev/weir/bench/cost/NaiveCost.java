package dev.weir.bench.cost;

import dev.weir.bench.peer.Contender;
import dev.weir.bench.peer.NaiveLua;
import dev.weir.bench.peer.Numbers;
import java.util.Map;

/** The cost to Redis of {@code naive-lua}, for a token bucket: it has no other limit. */
record NaiveCost(Meter meter, Replay replay, Call grant, Call denial) {

  /** So many are enough to recognize the call. */
  private static final int TIMES = 3;

  static NaiveCost record(String uri, Meter meter, Replay replay) throws Exception {
    try (Contender roomy = new NaiveLua(uri, 1, 1, Numbers.ROOMY);
        Contender scarce = new NaiveLua(uri, 1, 2, Numbers.SCARCE)) {
      scarce.admits(1); // so that it does not use the key of the other
      return new NaiveCost(
          meter, replay, recorded(replay, roomy, 0, true), recorded(replay, scarce, 1, false));
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
