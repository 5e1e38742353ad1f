package dev.weir.bench.cost;

import dev.weir.limit.Limit;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.function.IntFunction;

/**
 * A recorded batch of the store. Many callers request decisions at once while Redis pauses, so that
 * they queue. The largest call that Redis then receives is taken. The format of a batch is private
 * to the store.
 *
 * @param decisions how many it makes
 */
record Batch(Call call, int decisions) {

  /** The number of decisions that the rows refer to. */
  static final int SIZE = 64;

  private static final int CALLERS = 256;
  private static final int BURSTS = 5;
  private static final int PAUSE_MILLIS = 300;

  /** The store merges equal decisions into one key; at most this many calls show that it did. */
  private static final int MOST_CALLS_OF_MERGED = CALLERS / 8;

  /**
   * Records the largest call that so many callers of this limit cause.
   *
   * @param subject the subject of each caller: the same for all, or one for each
   */
  static Batch record(Replay replay, Store store, Limit limit, IntFunction<String> subject)
      throws Exception {
    burst(store, limit, subject); // so that the script is known and the connections are open
    Batch largest = new Batch(new Call(List.of("", "0")), 0);
    for (int i = 0; i < BURSTS && largest.decisions() < SIZE; i++) {
      List<Call> calls =
          replay.recorded(
              () -> {
                replay.pause(PAUSE_MILLIS);
                burst(store, limit, subject);
              });
      Batch found = largestOf(calls);
      largest = found.decisions() > largest.decisions() ? found : largest;
    }
    if (largest.decisions() < 2) {
      throw new IllegalStateException(limit + ": no batch (expected: some)");
    }
    return largest;
  }

  /**
   * Returns the call with the most keys or arguments; of equal ones the last, when most were
   * queued.
   */
  private static Batch largestOf(List<Call> calls) {
    Comparator<Call> order =
        Comparator.<Call>comparingInt(call -> call.keys().size())
            .thenComparingInt(call -> call.arguments().size());
    Call largest =
        calls.stream()
            .reduce((one, next) -> order.compare(next, one) >= 0 ? next : one)
            .orElseThrow();
    int keys = largest.keys().size();
    boolean isMerged = keys == 1 && calls.size() <= MOST_CALLS_OF_MERGED;
    return new Batch(largest, isMerged ? SIZE : keys); // merged, any number costs the same
  }

  private static void burst(Store store, Limit limit, IntFunction<String> subject)
      throws Exception {
    ExecutorService executor = Executors.newFixedThreadPool(CALLERS);
    try {
      List<Future<?>> running = new ArrayList<>();
      for (int caller = 0; caller < CALLERS; caller++) {
        String own = subject.apply(caller);
        running.add(executor.submit(() -> store.decide(limit, own)));
      }
      for (Future<?> one : running) {
        one.get();
      }
    } finally {
      executor.shutdown();
      executor.awaitTermination(10, TimeUnit.SECONDS);
    }
  }
}
