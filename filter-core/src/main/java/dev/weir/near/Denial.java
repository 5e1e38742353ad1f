package dev.weir.near;

import dev.weir.internal.store.CounterKeys.CounterKey;
import dev.weir.limit.Limit;
import dev.weir.store.AcquireRequest.Charge;
import dev.weir.store.Counter;
import dev.weir.store.Decision;
import dev.weir.store.Decision.Retry;
import dev.weir.store.Decision.Verdict;
import dev.weir.store.Source;
import java.util.List;

/**
 * A denied request and its verdicts. Times are readings of one ticker. It holds no counter, since a
 * client may choose a subject of any length. Each decision names the counters of its own request.
 *
 * @param charges of the denied request
 * @param verdicts of the denial, in order
 * @param endNanos until when the denial is certain, measured from before the call to the store
 * @param replyNanos when the verdicts arrived, from which their times are measured
 */
record Denial(
    List<KeyedCharge> charges, List<KeptVerdict> verdicts, long endNanos, long replyNanos) {

  private static final Decision.Receipt NOTHING = Decision.Receipt.nothing(Source.DENY_CACHE);

  /** A charge that may be kept. For a long subject it holds only the digest. */
  record KeyedCharge(CounterKey key, Limit limit, long permits) {

    private boolean isSameAs(Charge charge, CounterKey chargedKey) {
      return permits == charge.permits()
          && key.equals(chargedKey)
          && limit.equals(charge.counter().limit());
    }
  }

  /** A verdict with the index of its charge, and without its counter. */
  record KeptVerdict(
      int charge, long remaining, Retry retry, long resetAfterNanos, long blockedNanos) {

    /** Returns the verdict after some time, for the same request. */
    private Verdict after(long passedNanos, List<Charge> requested) {
      Retry left =
          retry instanceof Retry.After after
              ? new Retry.After(Math.max(1, after.nanos() - passedNanos))
              : retry;
      long resetNanos = Math.max(0, resetAfterNanos - passedNanos);
      long blockNanos = Math.max(0, blockedNanos - passedNanos);
      Counter counter = requested.get(charge).counter();
      return new Verdict(counter, remaining, left, resetNanos, true, blockNanos);
    }
  }

  /** Returns the denial of a request for these charges, whose counters have these keys. */
  static Denial of(
      List<Charge> requested,
      CounterKey[] keys,
      Decision.Counted denied,
      long endNanos,
      long replyNanos) {
    KeyedCharge[] charges = new KeyedCharge[keys.length];
    for (int i = 0; i < charges.length; i++) {
      Charge charge = requested.get(i);
      charges[i] = new KeyedCharge(keys[i], charge.counter().limit(), charge.permits());
    }
    List<Counter> counters = requested.stream().map(Charge::counter).toList();
    List<KeptVerdict> verdicts =
        denied.verdicts().stream()
            .map(
                one ->
                    new KeptVerdict(
                        counters.indexOf(one.counter()),
                        one.remaining(),
                        one.retry(),
                        one.resetAfterNanos(),
                        one.blockedNanos()))
            .toList();
    return new Denial(List.of(charges), verdicts, endNanos, replyNanos);
  }

  /** Returns whether this denies the request: only the very same one is certain to be denied. */
  boolean denies(List<Charge> requested, CounterKey[] keys, long nowNanos) {
    if (endNanos - nowNanos <= 0 || charges.size() != keys.length) {
      return false;
    }
    for (int i = 0; i < keys.length; i++) {
      if (!charges.get(i).isSameAs(requested.get(i), keys[i])) {
        return false;
      }
    }
    return true;
  }

  /** Returns the decision as of now, about a request that this denies. */
  Decision.Counted decision(List<Charge> requested, long nowNanos) {
    long passedNanos = nowNanos - replyNanos;
    List<Verdict> current =
        verdicts.size() == 1
            ? List.of(verdicts.get(0).after(passedNanos, requested))
            : verdicts.stream().map(one -> one.after(passedNanos, requested)).toList();
    return Decision.counted(Source.DENY_CACHE, current, NOTHING);
  }
}
