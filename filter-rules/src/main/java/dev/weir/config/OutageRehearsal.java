package dev.weir.config;

import dev.weir.FailoverLimitStore;
import dev.weir.limit.Limit;
import dev.weir.local.LocalLimitStore;
import dev.weir.near.DenyCache;
import dev.weir.store.AcquireRequest;
import dev.weir.store.Adjustment;
import dev.weir.store.Counter;
import dev.weir.store.Deadline;
import dev.weir.store.Decision;
import dev.weir.store.LimitStore;
import dev.weir.store.OnOutage;
import dev.weir.store.StoreUnavailableException;
import dev.weir.store.Subject;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/**
 * What requests run when Redis fails, over stores and counters of its own.
 *
 * <p>A process decides its first requests by Redis. So the code of the fallback would be loaded in
 * its first outage, by all requests at once, when they have waited for a deadline already. That
 * took them 150 to 300 ms longer on a busy machine with two cores. One rehearsal at the start takes
 * most of that away. It also finds out whether the libraries of the fallback are there.
 */
final class OutageRehearsal {

  /** One of each kind; of each, the second request is denied. */
  private static final List<String> LIMITS =
      List.of(
          "1 per hour",
          "1 per hour leaky",
          "1 per hour window",
          "1 per day window UTC",
          "1 per hour sliding",
          "1 concurrent, ttl 1h");

  private static final Duration TIME = Duration.ofSeconds(1);

  private OutageRehearsal() {}

  /** Decides as in an outage, for each kind of limit, and for all of them together. */
  static void run() {
    LocalLimitStore fallback = LocalLimitStore.of();
    try (LimitStore store = FailoverLimitStore.of(DenyCache.of(new Gone(), TIME), fallback)) {
      List<AcquireRequest.Charge> together = new ArrayList<>();
      for (String limit : LIMITS) {
        Counter counter = new Counter(limit, Limit.parse(limit), Subject.global());
        together.add(new AcquireRequest.Charge(counter, 1));
        rehearse(List.of(new AcquireRequest.Charge(counter, 1)), store);
      }
      rehearse(together, store);
    } catch (StoreUnavailableException e) {
      throw new IllegalStateException("the fallback needs no Redis", e);
    }
  }

  private static void rehearse(List<AcquireRequest.Charge> charges, LimitStore store)
      throws StoreUnavailableException {
    AcquireRequest request = new AcquireRequest(charges, OnOutage.LOCAL, Deadline.after(TIME));
    Decision granted = store.decide(request);
    Decision denied = store.decide(request);
    if (granted instanceof Decision.Counted counted && !denied.allowed()) {
      store.adjust(new Adjustment.Refund(counted.receipt()), Deadline.after(TIME));
    }
  }

  /** A store that is out. */
  private record Gone() implements LimitStore {

    @Override
    public Decision decide(AcquireRequest request) throws StoreUnavailableException {
      throw gone();
    }

    @Override
    public Set<Decision.Receipt.Grant> adjust(Adjustment adjustment, Deadline deadline)
        throws StoreUnavailableException {
      throw gone();
    }

    private static StoreUnavailableException gone() {
      return new StoreUnavailableException("a rehearsal", TIME, null);
    }

    @Override
    public boolean isHealthy() {
      return false;
    }

    @Override
    public void close() {
      // it has nothing to close
    }
  }
}
