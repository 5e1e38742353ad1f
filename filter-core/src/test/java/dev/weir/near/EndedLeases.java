package dev.weir.near;

import dev.weir.fixture.DelegatingStore;
import dev.weir.store.AcquireRequest.Charge;
import dev.weir.store.Deadline;
import dev.weir.store.LimitStore;
import dev.weir.store.LimitStore.Lending;
import dev.weir.store.StoreUnavailableException;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Counts the permits of leases that ended before they were carried on. A lease lives for some
 * milliseconds, so a thread that stalls loses it. How often depends on the machine.
 */
final class EndedLeases extends DelegatingStore implements Lending {

  private final Lending lending;
  private final Map<String, Long> out = new ConcurrentHashMap<>();
  private final Map<String, Long> lost = new ConcurrentHashMap<>();

  EndedLeases(LimitStore store) {
    super(store);
    this.lending = store.lending().orElseThrow();
  }

  /** Returns how many permits leases of the counter had at most when they ended. */
  long permits(String counter) {
    return lost.getOrDefault(counter, 0L);
  }

  @Override
  public Optional<Lending> lending() {
    return Optional.of(this);
  }

  @Override
  public Lease lend(Charge most, Settlement settled, Deadline deadline)
      throws StoreUnavailableException {
    String counter = most.counter().name();
    Lease lease = lending.lend(most, settled, deadline);
    boolean isCarried = settled.name() != 0 && lease.carried();
    long before = out.getOrDefault(counter, 0L);
    out.put(counter, lease.permits() + (isCarried ? settled.kept() : 0));
    lost.merge(counter, isCarried ? 0 : before, Long::sum);
    return lease;
  }

  @Override
  public void end(Ending ending, Deadline deadline) throws StoreUnavailableException {
    String counter = ending.counter().name();
    out.remove(counter);
    lost.merge(counter, ending.settled().back(), Long::sum);
    lending.end(ending, deadline);
  }
}
