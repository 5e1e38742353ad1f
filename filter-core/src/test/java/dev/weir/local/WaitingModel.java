package dev.weir.local;

import dev.weir.limit.Limit;
import dev.weir.limit.Limit.Rate;
import dev.weir.limit.TokenBucket;
import java.math.BigInteger;

/**
 * A token bucket on one node, and the requests that wait for it. Time is exact, in units of
 * 1/(period·nodes) permit that nothing rounds. Permits that are taken or put back outside decisions
 * are whole permits.
 */
class WaitingModel {

  private static final BigInteger EXACT = BigInteger.ONE.shiftLeft(53);
  private static final BigInteger FOREVER = BigInteger.valueOf(Long.MAX_VALUE);

  private Limit limit;
  private BigInteger refill = BigInteger.ZERO;
  private BigInteger permit = BigInteger.ONE;
  private BigInteger capacity = BigInteger.ZERO;
  private BigInteger level;
  private long now;
  private long lastRun;

  /** The number of permits of the last waiting request. */
  private BigInteger lastPermits = BigInteger.ZERO;

  private BigInteger heldBack = BigInteger.ZERO;
  private long heldBackUntil;
  private final int nodes;

  private final PromiseModel promise = new PromiseModel();

  /** What a decision does: 0 in retry when it grants. */
  record Answer(long retry, long delay, long stamp) {}

  WaitingModel(Limit limit, int nodes) {
    this.limit = limit;
    this.nodes = nodes;
    count(limit);
    level = full();
  }

  private void count(Limit next) {
    limit = next;
    Rate rate = rate(next);
    refill = BigInteger.valueOf(rate.permits());
    permit = BigInteger.valueOf(rate.period().toNanos()).multiply(BigInteger.valueOf(nodes));
    capacity = BigInteger.valueOf((next.capacity() + nodes - 1) / nodes);
  }

  Rate rate(Limit next) {
    return ((TokenBucket) next).rate();
  }

  /** Returns how many permits are available when a request for so many may run. */
  BigInteger due(BigInteger permits) {
    return permits;
  }

  /** Returns how many are available, at least, when a request for so many may start to wait. */
  BigInteger least(BigInteger permits) {
    return permits.subtract(EXACT);
  }

  /** How many are there when the last one runs, with so many that are given back, or granted. */
  BigInteger left(BigInteger back, BigInteger granted) {
    return capacity.subtract(granted).min(BigInteger.ZERO);
  }

  /** How many are there, at most, when the last one runs, so that newcomers come after it. */
  BigInteger mostAtRun(BigInteger permits) {
    return BigInteger.ZERO;
  }

  /** When a request passes that was promised a retry: here, those who wait are a debt. */
  long untilTurn(long untilPaid, long untilLastRuns) {
    return untilPaid;
  }

  /** Whether what was granted comes back when it has run. */
  boolean comesBack() {
    return true;
  }

  final BigInteger mostThere() {
    return capacity;
  }

  private BigInteger full() {
    return permit.multiply(capacity);
  }

  long capacity() {
    return capacity.longValueExact();
  }

  void advance(long nanos) {
    now += nanos;
    level = level.add(refill.multiply(BigInteger.valueOf(nanos))).min(full());
  }

  /** Whole permits that are consumed carry over; what only holds newcomers back is not consumed. */
  void follow(Limit next) {
    if (next.equals(limit)) {
      return;
    }
    BigInteger held = heldBackUntil > now ? heldBack : BigInteger.ZERO;
    BigInteger consumed = capacity.subtract(whole()).subtract(held).max(BigInteger.ZERO);
    count(next);
    level = full().subtract(permit.multiply(consumed));
    heldBackUntil = now;
    holdBack();
  }

  Answer decide(long permits, long patience) {
    BigInteger more = BigInteger.valueOf(permits);
    BigInteger share = more.min(capacity);
    boolean isDear = more.compareTo(capacity) > 0;
    long delay = nanosUntil(due(share));
    long wait = Math.max(nanosUntil(least(share)), delay - patience);
    if (isDear) {
      long untilTurn = untilTurn(nanosUntil(BigInteger.ZERO), lastRun - now);
      delay = promise.isSet(now) && promise.until(untilTurn, now) == 0 ? 0 : delay;
      wait = promise.wait(wait, untilTurn, now);
    }
    if (wait > 0) {
      if (isDear) {
        promise.denied(wait, limit.timeToFull().toNanos(), now);
      }
      return new Answer(wait, 0, 0);
    }
    long runs = delay > Long.MAX_VALUE - now ? Long.MAX_VALUE : now + delay;
    take(more);
    if (isDear) {
      promise.passed();
    }
    if (runs > now) {
      lastRun = runs;
      lastPermits = more;
    }
    return new Answer(0, delay, runs);
  }

  void debit(long permits) {
    take(BigInteger.valueOf(permits).min(whole().add(EXACT).max(BigInteger.ZERO)));
  }

  /**
   * Refunds what time has not repaid, if no request waits. Otherwise only the last waiting request
   * gets a refund.
   */
  void refund(long permits, long stamp, long granted) {
    BigInteger back = BigInteger.valueOf(permits);
    if (comesBack() && lastRun <= now && stamp <= now) {
      BigInteger unpaid =
          permit
              .multiply(BigInteger.valueOf(granted))
              .subtract(refill.multiply(BigInteger.valueOf(now - stamp)))
              .add(level.mod(permit))
              .max(BigInteger.ZERO);
      put(unpaid.divide(permit).min(back));
    } else if (isLast(stamp, back, BigInteger.valueOf(granted))) {
      put(back);
      lastPermits = BigInteger.ONE;
      lastRun = runs(left(lastPermits, lastPermits));
    }
  }

  /**
   * Returns whether this is the last waiting request. It returns false while more permits than were
   * granted hold newcomers back, because the request before it is unknown then.
   */
  private boolean isLast(long stamp, BigInteger back, BigInteger granted) {
    boolean isIn = capacity.subtract(whole()).compareTo(back) >= 0;
    return isIn && heldBackUntil <= now && stamp > now && stamp == runs(left(back, granted));
  }

  void reward(long permits) {
    put(BigInteger.valueOf(permits));
    holdBack();
  }

  void reset() {
    level = full();
    lastRun = now;
    heldBackUntil = now;
    promise.passed();
  }

  /**
   * The fewest permits without which the bucket is empty until the last one runs; no more than can
   * be counted.
   */
  private void holdBack() {
    if (lastRun <= now) {
      return;
    }
    BigInteger left = mostAtRun(lastPermits);
    BigInteger before =
        level
            .add(refill.multiply(BigInteger.valueOf(lastRun - now - 1)))
            .subtract(permit.multiply(left));
    BigInteger fewest = before.divide(permit).add(BigInteger.ONE);
    BigInteger more = fewest.min(whole().subtract(left).add(EXACT));
    if (before.signum() >= 0 && more.signum() > 0) {
      take(more);
      heldBack = heldBackUntil > now ? heldBack.add(more) : more;
      heldBackUntil = lastRun;
    }
  }

  private void take(BigInteger permits) {
    level = level.subtract(permit.multiply(permits));
  }

  private void put(BigInteger permits) {
    level = level.add(permit.multiply(permits)).min(full());
  }

  long remaining() {
    return whole().max(BigInteger.ZERO).longValueExact();
  }

  long nanosUntilFull() {
    return nanosUntil(capacity);
  }

  /** Below zero too: rounded down. */
  final BigInteger whole() {
    return level.subtract(level.mod(permit)).divide(permit);
  }

  /** When so many are there. */
  private long runs(BigInteger permits) {
    return BigInteger.valueOf(now)
        .add(BigInteger.valueOf(nanosUntil(permits)))
        .min(FOREVER)
        .longValueExact();
  }

  private long nanosUntil(BigInteger permits) {
    BigInteger missing = permit.multiply(permits).subtract(level).max(BigInteger.ZERO);
    return missing
        .add(refill)
        .subtract(BigInteger.ONE)
        .divide(refill)
        .min(FOREVER)
        .longValueExact();
  }
}
