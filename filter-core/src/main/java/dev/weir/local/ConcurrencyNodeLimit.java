package dev.weir.local;

import dev.weir.limit.Concurrency;

/** A node's part of a concurrency limit: the same time to live with fewer permits. */
record ConcurrencyNodeLimit(Concurrency limit, int nodes, long dearest, long capacity)
    implements NodeLimit {

  /** Never forgets after an outage. Permits expire by themselves, whichever store decides. */
  @Override
  public long forgottenAfterNanos() {
    return Long.MAX_VALUE;
  }

  @Override
  public CounterState open(Now now) {
    return new ConcurrencyState(this, new Holders());
  }
}
