package dev.weir.local;

import dev.weir.limit.LeakyBucket;
import dev.weir.limit.Limit;
import dev.weir.limit.Rate;
import java.math.BigInteger;

/**
 * A leaky bucket with those who wait in it. What is not in it is there, so that a request runs when
 * all is there.
 */
final class LeakyWaitingModel extends WaitingModel {

  LeakyWaitingModel(Limit limit, int nodes, long dearest) {
    super(limit, nodes, dearest);
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
  BigInteger left(BigInteger permits) {
    return mostThere().subtract(permits);
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
