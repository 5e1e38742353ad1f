package dev.weir.local;

import dev.weir.Concurrency;
import dev.weir.Limit;
import dev.weir.Receipt;
import java.util.concurrent.atomic.AtomicLong;

/**
 * A concurrency limit. Its leases end by the clock that never stands: holders go on while another
 * store decides.
 */
final class HoldSlot implements Slot {

  /** Of all slots: one that is opened anew mistakes no hold of the one before for its own. */
  private static final AtomicLong IDS = new AtomicLong();

  private final HoldShare share;
  private final Holds holds;

  HoldSlot(HoldShare share, Holds holds) {
    this.share = share;
    this.holds = holds;
  }

  @Override
  public void age(Moment now) {
    holds.age(now.tickNanos());
  }

  @Override
  public long available() {
    return share.capacity() - holds.sum();
  }

  @Override
  public Place place(long permits, Moment now) {
    return Place.inTime(holds.nanosUntilFreed(permits - available(), now.tickNanos()));
  }

  @Override
  public long nanosUntilFull(Moment now) {
    return holds.nanosUntilFreed(holds.sum(), now.tickNanos());
  }

  @Override
  public void take(long permits, Moment now) {
    letIn(permits, now);
  }

  /** The id of the new hold. */
  @Override
  public long letIn(long permits, Moment now) {
    long id = IDS.incrementAndGet();
    holds.take(id, permits, leaseEndNanos(share.limit(), now));
    return id;
  }

  @Override
  public void giveBack(long permits, long stamp, long granted) {
    holds.release(stamp);
  }

  /** Nothing is consumed: the permits are with their holders. */
  @Override
  public void reward(long permits) {}

  /** By the lease that was granted: the limit may have another by now. */
  @Override
  public boolean renew(Receipt.Grant grant, Moment now) {
    Limit granted = grant.charge().counter().limit();
    return granted instanceof Concurrency limit
        && holds.renew(grant.stamp(), leaseEndNanos(limit, now));
  }

  private static long leaseEndNanos(Concurrency limit, Moment now) {
    return now.tickNanos() + limit.lease().toNanos();
  }

  /** Whoever holds permits goes on holding them. */
  @Override
  public Slot under(Share next, Moment now) {
    if (next instanceof HoldShare hold) {
      return new HoldSlot(hold, holds);
    }
    Slot slot = next.open(now);
    if (holds.sum() > 0) {
      slot.take(holds.sum(), now);
    }
    return slot;
  }

  @Override
  public Slot copy() {
    return new HoldSlot(share, holds.copy());
  }
}
