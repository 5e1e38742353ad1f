package dev.weir;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Estimates when permits of concurrency limits return, from how long they are held on this node.
 *
 * <p>A store knows when permits return at the latest: when their leases end. Nearly all return long
 * before. So a denial tells the {@link HoldingTime estimate} of its limit, but never longer than
 * the store does, and no less than a millisecond. A wait of more than a lease is a block: it stays
 * as it is. A block that lasts no longer looks like permits that are held, and is estimated too.
 *
 * <p>Keeps the times of the limits that were used last, by their names, for all numbers and
 * subjects. Thread-safe.
 */
final class HoldingTimes {

  private static final int MOST_LIMITS = 1_000;
  private static final long SHORTEST_NANOS = 1_000_000;

  private final Ticker ticker;
  private final Map<String, HoldingTime> byName =
      new LinkedHashMap<>(16, 0.75f, true) {
        private static final long serialVersionUID = 1;

        @Override
        protected boolean removeEldestEntry(Map.Entry<String, HoldingTime> eldest) {
          return size() > MOST_LIMITS;
        }
      };

  HoldingTimes(Ticker ticker) {
    this.ticker = ticker;
  }

  /** Permits that are held now. To be ended once. */
  static final class Running {

    private record Part(HoldingTime time, long permits) {}

    private final Ticker ticker;
    private final List<Part> parts;
    private final long sinceNanos;

    private Running(Ticker ticker, List<Part> parts, long sinceNanos) {
      this.ticker = ticker;
      this.parts = parts;
      this.sinceNanos = sinceNanos;
    }

    void returned() {
      long nowNanos = ticker.nanoTime();
      parts.forEach(part -> part.time.returned(part.permits, nowNanos - sinceNanos, nowNanos));
    }

    /** They are not this node's any more, or it is unknown since when. */
    void lost() {
      long nowNanos = ticker.nanoTime();
      parts.forEach(part -> part.time.lost(part.permits, nowNanos));
    }
  }

  /** Begins to measure what was granted just now. */
  Running granted(Receipt held) {
    long nowNanos = ticker.nanoTime();
    List<Running.Part> parts = new ArrayList<>(held.grants().size());
    for (Receipt.Grant grant : held.grants()) {
      Charge charge = grant.charge();
      HoldingTime time = of(charge.counter());
      time.granted(charge.permits(), nowNanos);
      parts.add(new Running.Part(time, charge.permits()));
    }
    return new Running(ticker, parts, nowNanos);
  }

  private HoldingTime of(Counter counter) {
    synchronized (byName) {
      return byName.computeIfAbsent(counter.name(), name -> new HoldingTime());
    }
  }

  private @Nullable HoldingTime known(Counter counter) {
    synchronized (byName) {
      return byName.get(counter.name());
    }
  }

  /** The same denial with estimates where concurrency limits deny. What binds may be another. */
  Decision.Counted estimated(Ask ask, Decision.Counted denial) {
    List<Verdict> verdicts = new ArrayList<>(denial.verdicts().size());
    for (Verdict verdict : denial.verdicts()) {
      verdicts.add(estimated(ask, verdict));
    }
    return verdicts.equals(denial.verdicts())
        ? denial
        : Decision.counted(denial.source(), verdicts, denial.receipt(), denial.delay());
  }

  private Verdict estimated(Ask ask, Verdict verdict) {
    if (!(verdict.counter().limit() instanceof Concurrency limit)
        || !(verdict.retry() instanceof Retry.After after)
        || after.nanos() > limit.lease().toNanos()) {
      return verdict;
    }
    long nanos = Math.min(after.nanos(), Math.max(SHORTEST_NANOS, nanos(ask, verdict, limit)));
    Retry estimate = new Retry.After(nanos);
    return new Verdict(verdict.counter(), verdict.remaining(), estimate, verdict.resetAfterNanos());
  }

  private long nanos(Ask ask, Verdict verdict, Concurrency limit) {
    long held = Math.max(1, limit.permits() - verdict.remaining());
    long missing = Math.max(1, asked(ask, verdict.counter()) - verdict.remaining());
    @Nullable HoldingTime known = known(verdict.counter());
    HoldingTime time = known == null ? new HoldingTime() : known;
    return (long) Math.ceil(time.nanosUntil(missing, held, ticker.nanoTime()));
  }

  /** Where as many are taken as there are, one is enough. */
  private static long asked(Ask ask, Counter counter) {
    if (ask.terms() instanceof Terms.UpTo) {
      return 1;
    }
    for (Charge charge : ask.charges()) {
      if (charge.counter().isSameAs(counter)) {
        return charge.permits();
      }
    }
    return 1;
  }
}
