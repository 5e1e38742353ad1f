package dev.weir.config;

import dev.weir.AcquireRequest;
import dev.weir.Charge;
import dev.weir.Counter;
import dev.weir.Deadline;
import dev.weir.Decision;
import dev.weir.LimitStore;
import dev.weir.OnOutage;
import dev.weir.StoreUnavailableException;
import dev.weir.Subject;
import dev.weir.http.internal.check.HttpLibraries;
import dev.weir.internal.Libraries;
import dev.weir.limit.Limit;
import dev.weir.local.LocalLimitStore;
import dev.weir.local.LocalOptions;
import dev.weir.near.DenyCache;
import java.time.Duration;
import java.util.List;
import java.util.function.Supplier;

/** A start that fails where a library is missing, or is there in another version. */
final class LinkedLibraries {

  private LinkedLibraries() {}

  /**
   * Starts something. Before, each library is used once that a request would be the first to use.
   *
   * @throws IllegalStateException when a library is missing, or is there in another version
   */
  static <T> T start(Supplier<T> start) {
    return Libraries.linked(
        () -> {
          HttpLibraries.use();
          useCounters();
          return start.get();
        });
  }

  /** The second decision is a denial, and the third one is by the cache. */
  private static void useCounters() {
    Counter counter = new Counter("start", Limit.parse("1 per day"), Subject.of("start"));
    AcquireRequest request =
        new AcquireRequest(
            List.of(new Charge(counter, 1)), OnOutage.LOCAL, Deadline.after(Duration.ofSeconds(1)));
    try (LimitStore store =
        new DenyCache(new LocalLimitStore(LocalOptions.embedded()), Duration.ofSeconds(1))) {
      for (int i = 0; i < 3; i++) {
        Decision unused = store.decide(request);
      }
    } catch (StoreUnavailableException e) {
      throw new IllegalStateException("a store in process has failed", e);
    }
  }
}
