package dev.weir.local;

import dev.weir.limit.LeakyBucket;
import dev.weir.limit.Limit;
import dev.weir.limit.Limit.Rate;
import java.math.BigInteger;

/**
 * A leaky bucket and the requests that wait in it. The permits that are not in the bucket are
 * available, and a request runs when all permits are available.
 */
final class LeakyWaitingModel extends WaitingModel {

  LeakyWaitingModel(Limit limit, int nodes) {
    super(limit, nodes);
  }

  @Override
  Rate rate(Limit next) {
    return ((LeakyBucket) next).rate();
  }

  @Override
  BigInteger due(BigInteger permits) {
    return mostThere();
  }

  @Override
  BigInteger least(BigInteger permits) {
    return permits;
  }

  @Override
  BigInteger left(BigInteger back, BigInteger granted) {
    return mostThere().subtract(back);
  }

  @Override
  BigInteger mostAtRun(BigInteger permits) {
    return mostThere().subtract(permits);
  }

  /** It passes nobody who waits. */
  @Override
  long untilTurn(long untilPaid, long untilLastRuns) {
    return Math.max(untilPaid, untilLastRuns);
  }

  /** It has flowed out. */
  @Override
  boolean comesBack() {
    return false;
  }

  @Override
  long remaining() {
    return whole().equals(mostThere()) ? super.remaining() : 0;
  }
}
