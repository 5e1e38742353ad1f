package dev.weir.near;

import dev.weir.Charge;
import dev.weir.internal.CounterKey;
import dev.weir.limit.Limit;

/** A charge that may be kept. For a long subject it holds only the digest. */
record KeyedCharge(CounterKey key, Limit limit, long permits) {

  static KeyedCharge of(Charge charge, CounterKey key) {
    return new KeyedCharge(key, charge.counter().limit(), charge.permits());
  }

  /** Returns whether that is a charge of the same counter, with the same numbers. */
  boolean isOfSameCounter(Charge charge, CounterKey chargedKey) {
    return key.equals(chargedKey) && limit.equals(charge.counter().limit());
  }
}
