package dev.weir.local;

import dev.weir.limit.LeakyBucket;
import dev.weir.limit.TokenBucket;

/** A node's part of a leaky bucket: a smaller one that flows more slowly. */
record LeakyNodeLimit(LeakyBucket limit, BucketNodeLimit level) implements NodeLimit {

  static LeakyNodeLimit of(LeakyBucket limit, int nodes, long dearest, long queue) {
    TokenBucket same = new TokenBucket(limit.rate(), limit.capacity());
    return new LeakyNodeLimit(limit, BucketNodeLimit.of(same, nodes, dearest, queue));
  }

  @Override
  public int nodes() {
    return level.nodes();
  }

  @Override
  public long dearest() {
    return level.dearest();
  }

  @Override
  public long capacity() {
    return level.capacity();
  }

  @Override
  public long forgottenAfterNanos() {
    return level.forgottenAfterNanos();
  }

  @Override
  public CounterState open(Now now) {
    return new LeakyBucketState(level.open(now), now.nanos());
  }
}
