package dev.weir.near;

import dev.weir.store.AcquireRequest;
import dev.weir.store.AcquireRequest.Mode;
import dev.weir.store.Adjustment;
import dev.weir.store.Deadline;
import dev.weir.store.Decision;
import dev.weir.store.LimitStore;
import dev.weir.store.StoreUnavailableException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** What lies between a node and a real store: it notes what goes over it, and can lose it. */
final class Wire implements LimitStore {

  enum Loss {
    NONE,
    QUESTION,
    ANSWER
  }

  final List<Mode.Leased> settled = new ArrayList<>();
  final List<Adjustment> adjusted = new ArrayList<>();
  final List<Decision> lent = new ArrayList<>();
  Loss loss = Loss.NONE;

  /** Whether changes fail by a bug. */
  boolean isBroken;

  /** What is done while a lease is on its way. */
  Runnable meanwhile = () -> {};

  private final LimitStore store;

  Wire(LimitStore store) {
    this.store = store;
  }

  @Override
  public Decision decide(AcquireRequest request) throws StoreUnavailableException {
    if (!(request.mode() instanceof Mode.Leased leased)) {
      return store.decide(request);
    }
    settled.add(leased);
    require(loss != Loss.QUESTION);
    Decision decision = store.decide(request);
    lent.add(decision);
    Runnable once = meanwhile;
    meanwhile = () -> {};
    once.run();
    require(loss != Loss.ANSWER);
    return decision;
  }

  @Override
  public boolean adjust(Adjustment adjustment, Deadline deadline) throws StoreUnavailableException {
    adjusted.add(adjustment);
    if (isBroken) {
      throw new IllegalStateException("a bug");
    }
    require(loss != Loss.QUESTION);
    boolean made = store.adjust(adjustment, deadline);
    require(loss != Loss.ANSWER);
    return made;
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
