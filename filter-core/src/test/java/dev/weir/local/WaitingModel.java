package dev.weir.local;

import dev.weir.TokenBucket;
import java.math.BigInteger;

/**
 * A token bucket with those who wait for it, on one node: exact in time, in units of
 * 1/(period·nodes) permit that nothing rounds. What is taken and put back beside decisions is in
 * whole permits.
 */
final class WaitingModel {

  private static final BigInteger EXACT = BigInteger.ONE.shiftLeft(53);
  private static final BigInteger FOREVER = BigInteger.valueOf(Long.MAX_VALUE);

  private TokenBucket limit;
  private BigInteger refill = BigInteger.ZERO;
  private BigInteger permit = BigInteger.ONE;
  private BigInteger capacity = BigInteger.ZERO;
  private BigInteger level;
  private long now;
  private long lastRun;
  private BigInteger heldBack = BigInteger.ZERO;
  private long heldBackUntil;
  private final int nodes;
  private final long dearest;

  /** What a decision does: 0 in retry when it grants. */
  record Answer(long retry, long delay, long stamp) {}

  WaitingModel(TokenBucket limit, int nodes, long dearest) {
    this.limit = limit;
    this.nodes = nodes;
    this.dearest = dearest;
    count(limit);
    level = full();
  }

  private void count(TokenBucket next) {
    limit = next;
    refill = BigInteger.valueOf(next.rate().permits());
    permit = BigInteger.valueOf(next.rate().period().toNanos()).multiply(BigInteger.valueOf(nodes));
    long part = (next.burst() + nodes - 1) / nodes;
    capacity = BigInteger.valueOf(Math.max(part, Math.min(dearest, next.burst())));
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
  void follow(TokenBucket next) {
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
    long delay = nanosUntil(more);
    long over = nanosUntil(more.subtract(EXACT));
    if (over > 0 || delay > patience) {
      return new Answer(Math.max(over, delay - patience), 0, 0);
    }
    take(more);
    if (level.signum() >= 0) {
      return new Answer(0, delay, now);
    }
    lastRun = runs();
    return new Answer(0, delay, lastRun);
  }

  void owe(long permits) {
    take(BigInteger.valueOf(permits).min(whole().add(EXACT).max(BigInteger.ZERO)));
  }

  /** Late, what time has not repaid; of those who wait, the last one. */
  void giveBack(long permits, long stamp, long granted) {
    if (lastRun <= now && stamp <= now) {
      BigInteger unpaid =
          permit
              .multiply(BigInteger.valueOf(granted))
              .subtract(refill.multiply(BigInteger.valueOf(now - stamp)))
              .add(level.mod(permit))
              .max(BigInteger.ZERO);
      put(unpaid.divide(permit).min(BigInteger.valueOf(permits)));
    } else if (stamp > now && stamp == runs()) {
      put(BigInteger.valueOf(permits));
      lastRun = runs();
    }
  }

  void reward(long permits) {
    put(BigInteger.valueOf(permits));
    holdBack();
  }

  void reset() {
    level = full();
    lastRun = now;
    heldBackUntil = now;
  }

  /**
   * The fewest permits without which the bucket is empty until the last one runs; no more than can
   * be counted.
   */
  private void holdBack() {
    if (lastRun <= now) {
      return;
    }
    BigInteger before = level.add(refill.multiply(BigInteger.valueOf(lastRun - now - 1)));
    BigInteger fewest = before.divide(permit).add(BigInteger.ONE);
    BigInteger more = fewest.min(whole().add(EXACT));
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
  private BigInteger whole() {
    return level.subtract(level.mod(permit)).divide(permit);
  }

  private long runs() {
    return BigInteger.valueOf(now)
        .add(BigInteger.valueOf(nanosUntil(BigInteger.ZERO)))
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
