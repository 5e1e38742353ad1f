package dev.weir.redis;

import dev.weir.redis.internal.script.DecisionReply;
import dev.weir.redis.internal.script.Group;
import dev.weir.store.AcquireRequest.Charge;
import dev.weir.store.Deadline;
import dev.weir.store.LimitStore.Lending;
import dev.weir.store.StoreUnavailableException;
import java.util.List;

/** Lends permits that Redis counts. */
final class Lender implements Lending {

  private final Router router;
  private final Admission admission;

  /** Refuses a call when the store is closed, or the deadline has passed. */
  interface Admission {

    void check(Deadline due) throws StoreUnavailableException;
  }

  Lender(Router router, Admission admission) {
    this.router = router;
    this.admission = admission;
  }

  @Override
  public Lease lend(Charge most, Settlement settled, Deadline deadline)
      throws StoreUnavailableException {
    Deadline due = deadline.begun();
    admission.check(due);
    Group group = router.groups(List.of(most)).get(0);
    List<Long> reply = router.call(group, (to, counter) -> to.lease(counter, settled), due);
    return DecisionReply.lease(most.counter(), reply);
  }

  @Override
  public void end(Ending ending, Deadline deadline) throws StoreUnavailableException {
    Deadline due = deadline.begun();
    admission.check(due);
    router.endLease(ending, due);
  }
}
