package dev.weir.local;

import dev.weir.Receipt;
import dev.weir.limit.Concurrency;
import dev.weir.limit.Limit;
import java.util.concurrent.atomic.AtomicLong;

/**
 * A concurrency limit. The time to live of permits uses the clock that never pauses, because their
 * holders continue while another store decides.
 */
final class ConcurrencyState implements CounterState {

  /** Ids of all states, so that a reopened state never confuses its permits with earlier ones. */
  private static final AtomicLong IDS = new AtomicLong();

  private final ConcurrencyNodeLimit nodeLimit;
  private final Holders holders;

  ConcurrencyState(ConcurrencyNodeLimit nodeLimit, Holders holders) {
    this.nodeLimit = nodeLimit;
    this.holders = holders;
  }

  @Override
  public void age(Now now) {
    holders.age(now.tickNanos());
  }

  @Override
  public long available() {
    return nodeLimit.capacity() - holders.sum();
  }

  @Override
  public QueuePosition position(long permits, Now now) {
    return QueuePosition.inTime(holders.nanosUntilFreed(permits - available(), now.tickNanos()));
  }

  @Override
  public long nanosUntilFull(Now now) {
    return holders.nanosUntilFreed(holders.sum(), now.tickNanos());
  }

  @Override
  public void take(long permits, Now now) {
    acquire(permits, now);
  }

  /** Acquires permits, and returns their id. */
  @Override
  public long acquire(long permits, Now now) {
    long id = IDS.incrementAndGet();
    holders.take(id, permits, expiryNanos(nodeLimit.limit(), now));
    return id;
  }

  @Override
  public void refund(long permits, long stamp, long granted) {
    holders.release(stamp);
  }

  /** Has no effect. No permits are consumed, since their holders return them. */
  @Override
  public void reward(long permits) {}

  /** Renews for the time to live at acquisition, since the limit may have another now. */
  @Override
  public boolean renew(Receipt.Grant grant, Now now) {
    Limit granted = grant.charge().counter().limit();
    return granted instanceof Concurrency limit
        && holders.renew(grant.stamp(), expiryNanos(limit, now));
  }

  private static long expiryNanos(Concurrency limit, Now now) {
    return now.tickNanos() + limit.ttl().toNanos();
  }

  /** Keeps all permits that are held. */
  @Override
  public CounterState under(NodeLimit next, Now now) {
    if (next instanceof ConcurrencyNodeLimit concurrency) {
      return new ConcurrencyState(concurrency, holders);
    }
    CounterState state = next.open(now);
    if (holders.sum() > 0) {
      state.take(holders.sum(), now);
    }
    return state;
  }

  @Override
  public CounterState copy() {
    return new ConcurrencyState(nodeLimit, holders.copy());
  }
}
