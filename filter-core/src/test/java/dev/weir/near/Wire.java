package dev.weir.near;

import dev.weir.store.AcquireRequest;
import dev.weir.store.AcquireRequest.Charge;
import dev.weir.store.Adjustment;
import dev.weir.store.Deadline;
import dev.weir.store.Decision;
import dev.weir.store.Decision.Receipt;
import dev.weir.store.LimitStore;
import dev.weir.store.LimitStore.Lending;
import dev.weir.store.StoreUnavailableException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** What lies between a node and a real store: it notes what goes over it, and can lose it. */
final class Wire implements LimitStore, Lending {

  enum Loss {
    NONE,
    QUESTION,
    ANSWER
  }

  final List<Settlement> settled = new ArrayList<>();

  /** Adjustments, and ends of leases. */
  final List<Object> adjusted = new ArrayList<>();

  final List<Lease> lent = new ArrayList<>();
  Loss loss = Loss.NONE;

  /** Whether changes fail by a bug. */
  boolean isBroken;

  /** What is done while a lease is on its way. */
  Runnable meanwhile = () -> {};

  private final LimitStore store;
  private final Lending lending;

  Wire(LimitStore store) {
    this.store = store;
    this.lending = store.lending().orElseThrow();
  }

  @Override
  public Optional<Lending> lending() {
    return Optional.of(this);
  }

  @Override
  public Decision decide(AcquireRequest request) throws StoreUnavailableException {
    return store.decide(request);
  }

  @Override
  public Lease lend(Charge most, Settlement previous, Deadline deadline)
      throws StoreUnavailableException {
    settled.add(previous);
    require(loss != Loss.QUESTION);
    Lease lease = lending.lend(most, previous, deadline);
    lent.add(lease);
    Runnable once = meanwhile;
    meanwhile = () -> {};
    once.run();
    require(loss != Loss.ANSWER);
    return lease;
  }

  @Override
  public void end(Ending ending, Deadline deadline) throws StoreUnavailableException {
    adjusted.add(ending);
    requireSound();
    require(loss != Loss.QUESTION);
    lending.end(ending, deadline);
    require(loss != Loss.ANSWER);
  }

  @Override
  public Set<Receipt.Grant> adjust(Adjustment adjustment, Deadline deadline)
      throws StoreUnavailableException {
    adjusted.add(adjustment);
    requireSound();
    require(loss != Loss.QUESTION);
    Set<Receipt.Grant> ended = store.adjust(adjustment, deadline);
    require(loss != Loss.ANSWER);
    return ended;
  }

  private void requireSound() {
    if (isBroken) {
      throw new IllegalStateException("a bug");
    }
  }

  private void require(boolean arrives) throws StoreUnavailableException {
    if (!arrives) {
      throw new StoreUnavailableException("lost on its way", Duration.ofMillis(10), null);
    }
  }

  @Override
  public void close() {
    store.close();
  }
}
