package dev.weir.testing;

import dev.weir.FailoverLimitStore;
import dev.weir.internal.permit.PermitManager;
import dev.weir.internal.wait.CounterQueues;
import dev.weir.internal.wait.WaitQueues;
import dev.weir.local.LocalLimitStore;
import dev.weir.local.LocalOptions;
import dev.weir.store.AcquireRequest;
import dev.weir.store.Adjustment;
import dev.weir.store.Deadline;
import dev.weir.store.Decision;
import dev.weir.store.Decision.Receipt;
import dev.weir.store.LimitStore;
import dev.weir.store.LimiterListener;
import dev.weir.store.StoreUnavailableException;
import java.time.Duration;
import java.util.Objects;
import java.util.Set;

/** A store that may fail, with a fallback, and the queues of its limiters, all on one clock. */
final class ManualStore implements TestStore, WaitQueues.VirtualTime {

  private final ManualClock clock;
  private final SharedStore shared;
  private final LimitStore store;

  ManualStore(ManualClock clock, int nodes) {
    this.clock = Objects.requireNonNull(clock, "clock");
    LocalOptions whole = LocalOptions.of().withMaxCounters(LocalOptions.MOST_COUNTERS);
    this.shared = new SharedStore(LocalLimitStore.of(whole.withTime(clock, clock::instant)));
    LocalOptions part = LocalOptions.of().withNodes(nodes).withTime(clock, clock::instant);
    this.store = FailoverLimitStore.of(shared, LocalLimitStore.of(part), clock);
  }

  @Override
  public ManualClock clock() {
    return clock;
  }

  @Override
  public void fail() {
    shared.fail();
  }

  @Override
  public void recover() {
    shared.recover();
  }

  @Override
  public Decision decide(AcquireRequest request) throws StoreUnavailableException {
    return store.decide(request);
  }

  @Override
  public Set<Receipt.Grant> adjust(Adjustment adjustment, Deadline deadline)
      throws StoreUnavailableException {
    return store.adjust(adjustment, deadline);
  }

  @Override
  public boolean isHealthy() {
    return store.isHealthy();
  }

  /** The scheduler is the limiter's own: to close the limiter discards its renewals alone. */
  @Override
  public WaitQueues waitQueues(Duration deadline) {
    ManualScheduler scheduler = new ManualScheduler(clock);
    return new WaitQueues(
        new PermitManager(this, deadline, LimiterListener.NONE, scheduler, clock),
        new CounterQueues(scheduler, clock::soon, clock::soon));
  }

  @Override
  public void close() {
    store.close();
  }
}
