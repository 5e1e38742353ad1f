package dev.weir.internal.permit;

import dev.weir.internal.RecentlyUsed;
import dev.weir.limit.Concurrency;
import dev.weir.store.AcquireRequest;
import dev.weir.store.AcquireRequest.Mode;
import dev.weir.store.Decision;
import dev.weir.store.Decision.Retry;
import dev.weir.store.Decision.Verdict;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * Estimates when permits of concurrency limits return. Thread-safe. With M permits held, k of them
 * return within k·h/M: h is the mean holding time of about the last eight returns of the limit on
 * this node. While none returns, the wait is at least the time since the first denial. Before the
 * first return, it is that time and k seconds.
 */
final class HoldingTimes {

  private final Map<String, Long> meanNanos = new RecentlyUsed<>(1_000);
  private final Map<String, Long> deniedNanos = new RecentlyUsed<>(1_000);

  synchronized void returned(Decision.Receipt held, long nanos) {
    for (Decision.Receipt.Grant grant : held.grants()) {
      String name = grant.charge().counter().name();
      meanNanos.merge(name, nanos, (mean, last) -> mean + (last - mean) / 8);
      deniedNanos.remove(name);
    }
  }

  Decision.Counted estimated(AcquireRequest request, Decision.Counted denial, long nowNanos) {
    List<Verdict> verdicts = new ArrayList<>(denial.verdicts());
    verdicts.replaceAll(one -> one.withRetry(estimated(request, one, nowNanos)));
    return Decision.counted(denial.source(), verdicts, denial.receipt(), denial.delay());
  }

  private synchronized Retry estimated(AcquireRequest request, Verdict verdict, long nowNanos) {
    if (!(verdict.counter().limit() instanceof Concurrency limit)
        || !(verdict.retry() instanceof Retry.After after)
        || verdict.blockedNanos() > 0) {
      return verdict.retry(); // a block ends no sooner, whatever returns
    }
    long missing = 1;
    for (AcquireRequest.Charge charge : request.charges()) {
      if (charge.counter().isSameAs(verdict.counter()) && !(request.mode() instanceof Mode.UpTo)) {
        missing = Math.max(1, charge.permits() - verdict.remaining());
      }
    }
    String name = verdict.counter().name();
    long since = nowNanos - deniedNanos.computeIfAbsent(name, first -> nowNanos);
    Long mean = meanNanos.get(name);
    long held = Math.max(1, limit.permits() - verdict.remaining());
    long nanos = mean == null ? missing * 1_000_000_000 + since : mean / held * missing;
    return new Retry.After(Math.min(after.nanos(), Math.max(1_000_000, Math.max(nanos, since))));
  }
}
