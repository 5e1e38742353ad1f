package dev.weir.internal.permit;

import dev.weir.internal.RecentlyUsed;
import dev.weir.limit.Concurrency;
import dev.weir.store.AcquireRequest;
import dev.weir.store.AcquireRequest.Charge;
import dev.weir.store.AcquireRequest.Mode;
import dev.weir.store.Counter;
import dev.weir.store.Decision;
import dev.weir.store.Decision.Receipt;
import dev.weir.store.Decision.Retry;
import dev.weir.store.Decision.Verdict;
import dev.weir.store.LimitStore.Ticker;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Estimates of when permits of concurrency limits return, based on how long they are held on this
 * node.
 *
 * <p>A store knows when permits return at the latest: when they expire. Nearly all return long
 * before. So a denial returns the estimate of its limit. It is at least a millisecond, but never
 * more than the store's time. A wait of more than the time to live is a block, and is returned
 * unchanged. A shorter block looks like held permits, and is estimated too.
 *
 * <p>The holding times of the most recently used limits are kept by name, for all numbers and
 * subjects. Thread-safe.
 */
public final class HoldingTimes {

  private static final int MOST_LIMITS = 1_000;
  private static final long SHORTEST_NANOS = 1_000_000;

  private final Ticker ticker;
  private final Map<String, HoldingTime> byName = new RecentlyUsed<>(MOST_LIMITS);

  public HoldingTimes(Ticker ticker) {
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
  public Decision.Counted estimated(AcquireRequest request, Decision.Counted denial) {
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
    return verdict.withRetry(new Retry.After(nanos));
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

  /**
   * The recent holding time of one concurrency limit's permits, as this node has observed it.
   *
   * <p>Model. The mean holding time h is that of about the last eight permits that have returned.
   * Permits that are still held may have been held for longer since the last return. Then h is
   * based on the mean of that time. So when everything hangs, the estimate grows with the time
   * since the last return.
   *
   * <p>With M permits of one counter held everywhere, one returns every h/M, and so k of them
   * return within k·h/M. For permits that hang, h is M times their mean time since the last return.
   * Before the first return on this node, h is M seconds plus M times the mean time for which this
   * node has held its permits.
   *
   * <p>The estimate covers all subjects. Some subjects may hold their permits and return none.
   * Those permits weigh no more than what returns: h is that of the returns, as long as these
   * continue. A return after a long time makes h longer for all subjects, until about eight permits
   * have returned after it.
   *
   * <p>Invariant. A permit is counted as held from its grant until it is returned or lost. A lost
   * permit ends without a return, since it says nothing about how long work takes.
   *
   * <p>Example. Two permits are held for 0.5 s each and return together: h = 0.5 s. Both are held
   * again, and a third request comes 0.1 s later. Its estimate is 0.25 s. Nothing returns for 4 s.
   * The two permits have been held for 4 s each, so h is M = 2 times that, and the estimate is 4 s.
   *
   * <p>Thread-safe.
   */
  private static final class HoldingTime {

    /** The part of its weight that a return keeps after the next one: about eight returns count. */
    private static final double KEPT = 7.0 / 8;

    /** The assumed time until a permit returns, before any has returned. */
    private static final double GUESS_NANOS = 1e9;

    private double permitNanos;
    private double returns;

    private long held;
    private long seenNanos;
    private double nanosSinceReturn;

    synchronized void granted(long permits, long nowNanos) {
      pass(nowNanos);
      held += permits;
    }

    /**
     * @param heldNanos how long they were held
     */
    synchronized void returned(long permits, long heldNanos, long nowNanos) {
      pass(nowNanos);
      held -= permits;
      permitNanos = permitNanos * KEPT + (double) permits * heldNanos;
      returns = returns * KEPT + permits;
      nanosSinceReturn = 0;
    }

    /** Removes lost permits. The remaining permits keep their mean time. */
    synchronized void lost(long permits, long nowNanos) {
      pass(nowNanos);
      nanosSinceReturn *= (double) (held - permits) / held;
      held -= permits;
    }

    /**
     * Returns how long until this many permits are expected to return, in nanoseconds.
     *
     * @param heldEverywhere how many permits of the counter that denies are held, at least 1
     */
    synchronized double nanosUntil(long permits, long heldEverywhere, long nowNanos) {
      pass(nowNanos);
      double hangingNanos = nanosSinceReturn * heldEverywhere / Math.max(1, held);
      double mean =
          returns == 0
              ? GUESS_NANOS * heldEverywhere + hangingNanos
              : Math.max(permitNanos / returns, hangingNanos);
      return mean * permits / heldEverywhere;
    }

    private void pass(long nowNanos) {
      nanosSinceReturn += (double) held * Math.max(0, nowNanos - seenNanos);
      seenNanos = nowNanos;
    }
  }
}
