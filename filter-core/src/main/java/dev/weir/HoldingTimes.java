package dev.weir;

import dev.weir.limit.Concurrency;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Estimates of when permits of concurrency limits return, based on how long they are held on this
 * node.
 *
 * <p>A store knows when permits return at the latest: when they expire. Nearly all return long
 * before. So a denial returns the {@link HoldingTime estimate} of its limit. It is at least a
 * millisecond, but never more than the store's time. A wait of more than the time to live is a
 * block, and is returned unchanged. A shorter block looks like held permits, and is estimated too.
 *
 * <p>The holding times of the most recently used limits are kept by name, for all numbers and
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

  /** Permits that are held now. Must be ended once. */
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

    /** Removes permits that this node no longer holds, or has held for an unknown time. */
    void lost() {
      long nowNanos = ticker.nanoTime();
      parts.forEach(part -> part.time.lost(part.permits, nowNanos));
    }
  }

  /** Starts to measure how long permits are held that were granted just now. */
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

  /**
   * Returns the same denial with estimates where concurrency limits deny. Another counter may bind
   * in the result.
   */
  Decision.Counted estimated(AcquireRequest request, Decision.Counted denial) {
    List<Verdict> verdicts = new ArrayList<>(denial.verdicts().size());
    for (Verdict verdict : denial.verdicts()) {
      verdicts.add(estimated(request, verdict));
    }
    return verdicts.equals(denial.verdicts())
        ? denial
        : Decision.counted(denial.source(), verdicts, denial.receipt(), denial.delay());
  }

  private Verdict estimated(AcquireRequest request, Verdict verdict) {
    if (!(verdict.counter().limit() instanceof Concurrency limit)
        || !(verdict.retry() instanceof Retry.After after)
        || after.nanos() > limit.ttl().toNanos()) {
      return verdict;
    }
    long nanos = Math.min(after.nanos(), Math.max(SHORTEST_NANOS, nanos(request, verdict, limit)));
    Retry estimate = new Retry.After(nanos);
    return new Verdict(verdict.counter(), verdict.remaining(), estimate, verdict.resetAfterNanos());
  }

  private long nanos(AcquireRequest request, Verdict verdict, Concurrency limit) {
    long held = Math.max(1, limit.permits() - verdict.remaining());
    long missing = Math.max(1, requested(request, verdict.counter()) - verdict.remaining());
    @Nullable HoldingTime known = known(verdict.counter());
    HoldingTime time = known == null ? new HoldingTime() : known;
    return (long) Math.ceil(time.nanosUntil(missing, held, ticker.nanoTime()));
  }

  /** Returns the requested permits of a counter. For {@link Mode.UpTo}, one permit is enough. */
  private static long requested(AcquireRequest request, Counter counter) {
    if (request.mode() instanceof Mode.UpTo) {
      return 1;
    }
    for (Charge charge : request.charges()) {
      if (charge.counter().isSameAs(counter)) {
        return charge.permits();
      }
    }
    return 1;
  }
}
