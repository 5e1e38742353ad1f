package dev.weir.near;

import dev.weir.Amendment;
import dev.weir.Ask;
import dev.weir.Deadline;
import dev.weir.Decision;
import dev.weir.LeaseSettlement;
import dev.weir.LimitStore;
import dev.weir.StoreUnavailableException;
import dev.weir.Terms;
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

  final List<LeaseSettlement> settled = new ArrayList<>();
  final List<Amendment> amended = new ArrayList<>();
  final List<Decision> lent = new ArrayList<>();
  Loss loss = Loss.NONE;

  /** What is done while a lease is on its way. */
  Runnable meanwhile = () -> {};

  private final LimitStore store;

  Wire(LimitStore store) {
    this.store = store;
  }

  @Override
  public Decision decide(Ask ask) throws StoreUnavailableException {
    if (!(ask.terms() instanceof Terms.Leased leased)) {
      return store.decide(ask);
    }
    settled.add(leased.settled());
    require(loss != Loss.QUESTION);
    Decision decision = store.decide(ask);
    lent.add(decision);
    Runnable once = meanwhile;
    meanwhile = () -> {};
    once.run();
    require(loss != Loss.ANSWER);
    return decision;
  }

  @Override
  public boolean amend(Amendment amendment, Deadline deadline) throws StoreUnavailableException {
    amended.add(amendment);
    require(loss != Loss.QUESTION);
    boolean made = store.amend(amendment, deadline);
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
