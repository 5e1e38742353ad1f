package dev.weir.bench.cost;

import dev.weir.limit.Limit;
import dev.weir.store.Decision.Receipt;
import java.util.ArrayList;
import java.util.List;

/**
 * The store's calls for as many holders as a concurrency limit has permits, of one subject.
 *
 * @param grants by the holder
 * @param renewals likewise
 * @param releases likewise
 */
record HolderCalls(List<Call> grants, Call denial, List<Call> renewals, List<Call> releases) {

  /** The subject of the permits. When all is recorded, none is held. */
  static final String SUBJECT = "held";

  /** So many are enough to recognize the call. */
  private static final int TIMES = 3;

  static HolderCalls record(Replay replay, Store store, Limit limit, int permits) throws Exception {
    learn(store, limit);
    List<Receipt> held = new ArrayList<>();
    List<Call> grants =
        replay.recorded(
            () -> {
              for (int i = 0; i < permits; i++) {
                held.add(store.grant(limit, SUBJECT));
              }
            });
    List<Call> denials =
        replay.recorded(
            () -> {
              for (int i = 0; i < TIMES; i++) {
                store.decide(limit, SUBJECT);
              }
            });
    List<Call> renewals = replay.recorded(() -> each(held, store::renew));
    List<Call> releases = replay.recorded(() -> each(held, store::release));
    return new HolderCalls(
        ofAll(grants, permits),
        Call.ofMost(denials).get(0),
        ofAll(renewals, permits),
        ofAll(releases, permits));
  }

  /** Loads the scripts into Redis, so that each later verb is a single call. */
  private static void learn(Store store, Limit limit) throws Exception {
    Receipt receipt = store.grant(limit, "other");
    store.renew(receipt);
    store.release(receipt);
  }

  /** A verb on a permit that is held. */
  @FunctionalInterface
  private interface Verb {
    void on(Receipt held) throws Exception;
  }

  private static void each(List<Receipt> all, Verb verb) throws Exception {
    for (Receipt held : all) {
      verb.on(held);
    }
  }

  private static List<Call> ofAll(List<Call> calls, int permits) {
    List<Call> all = Call.ofMost(calls);
    if (all.size() != permits) {
      throw new IllegalStateException(
          "calls: %d (expected: %d, one for each holder)".formatted(all.size(), permits));
    }
    return all;
  }
}
