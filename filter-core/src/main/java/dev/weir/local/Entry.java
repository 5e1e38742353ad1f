package dev.weir.local;

import dev.weir.internal.store.CounterKeys.CounterKey;
import dev.weir.local.Shards.Now;
import dev.weir.store.AcquireRequest.Charge;
import dev.weir.store.AcquireRequest.Mode;
import dev.weir.store.Counter;
import dev.weir.store.Decision;
import dev.weir.store.Decision.Receipt;
import dev.weir.store.Decision.Retry;
import dev.weir.store.Decision.Verdict;
import dev.weir.store.Source;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * One counter in the map, with its block, the promise to its dear requests, and its place in the
 * queue. Its shard's lock guards it.
 */
final class Entry {

  private static final Receipt NOTHING = Receipt.nothing(Source.LOCAL);

  private final CounterKey key;
  private final String limit;
  private CounterState state;
  private long dueTickNanos;
  private long queuedTickNanos;

  /**
   * The end of a block, or 0. It uses the clock that never pauses, since an outage must not extend
   * a block.
   */
  private long blockEndTickNanos;

  /**
   * Who sent the last {@linkplain CounterState dear} request that passed, and owes what is owed;
   * null if none passed.
   */
  private @Nullable CounterKey debtor;

  /** What the first dear request that was denied was promised; null if none was. */
  private @Nullable PromisedRetry promised;

  /**
   * The time from which one {@linkplain CounterState dear} request passes as soon as nothing is
   * owed. Others may take of the share meanwhile, so without a promise it might not be free at that
   * time. One request uses a promise. An unused promise ends after the limit's time to full, but
   * not before a client has returned that waits whole seconds.
   */
  private record PromisedRetry(long startNanos, long endNanos) {

    private static final long SHORTEST_NANOS = 5_000_000_000L;
    private static final long LONGEST_NANOS = Long.MAX_VALUE / 4;

    static PromisedRetry in(long waitNanos, long lastsNanos, Now now) {
      long startNanos = now.nanos() + Math.min(waitNanos, LONGEST_NANOS);
      long longNanos = Math.max(SHORTEST_NANOS, Math.min(lastsNanos, LONGEST_NANOS));
      return new PromisedRetry(startNanos, startNanos + longNanos);
    }
  }

  Entry(CounterKey key, String limit, CounterState state, Now now) {
    this.key = key;
    this.limit = limit;
    this.state = state;
    this.dueTickNanos = now.tickNanos();
    this.queuedTickNanos = now.tickNanos();
  }

  CounterKey key() {
    return key;
  }

  String limit() {
    return limit;
  }

  CounterState state() {
    return state;
  }

  /** Returns the first state of a counter of its own, whose subject has shared this one. */
  CounterState stateFor(CounterKey subject, Now now) {
    CounterState own = state.copyFor(subject, now);
    if (debtor == null || !debtor.equals(subject)) {
      own.forgive();
    }
    return own;
  }

  /** Advances time to now, and applies the current numbers. Consumption carries over. */
  void bringUpToDate(Counter counter, NodeLimits nodeLimits, int nodes, Now now) {
    state.age(now);
    if (!state.isShareOf(counter.limit(), nodes)) {
      CounterState next = nodeLimits.open(counter, nodes, now);
      state.carryOver(next, now);
      state = next;
    }
  }

  /**
   * Decides a request for this counter alone.
   *
   * @param subject of the counter that was requested, which may share this one with others
   */
  Decision decide(Charge requested, Mode mode, CounterKey subject, Now now) {
    Charge charge = requested;
    if (mode instanceof Mode.UpTo) {
      long there = Math.min(requested.permits(), available(now));
      charge = new Charge(requested.counter(), Math.max(1, there));
    }
    long patienceNanos =
        mode instanceof Mode.Within within ? TimeUnit.NANOSECONDS.convert(within.maxWait()) : 0;
    boolean takes = !(mode instanceof Mode.Peek);
    Retry retry = retry(charge, charge.permits(), patienceNanos, takes, now);
    Receipt receipt = NOTHING;
    long delayNanos = 0;
    if (takes && retry instanceof Retry.Now) {
      delayNanos = mode instanceof Mode.Within ? delayNanos(charge.permits(), now) : 0;
      long stamp = acquire(charge.permits(), charge.permits(), delayNanos, subject, now);
      receipt = new Receipt(Source.LOCAL, List.of(new Receipt.Grant(charge, stamp)));
    }
    List<Verdict> verdicts = List.of(verdict(charge.counter(), retry, now));
    Duration delay = delayNanos == 0 ? Duration.ZERO : Duration.ofNanos(delayNanos);
    return new Decision.Counted(Source.LOCAL, verdicts, receipt, delay);
  }

  /**
   * Returns when the charge fits. A dear request that is denied is promised a retry, if it would
   * take permits and no earlier one has the promise.
   *
   * @param permits all that the request requires of this, for several subjects that share it
   */
  Retry retry(Charge charge, long permits, long patienceNanos, boolean takes, Now now) {
    if (state.isBeyondLimit(charge.permits())) {
      return Retry.NEVER;
    }
    // during a block nothing is allowed, and nothing can wait
    long blockNanos = blockedNanos(now);
    long mostNanos = blockNanos == 0 ? patienceNanos : 0;
    long fitsNanos =
        isDear(permits) ? state.nanosUntilFree(now) : state.nanosUntilFits(permits, now);
    long delayNanos = state.delayNanos(Math.min(permits, state.capacity()), now);
    long waitNanos = Math.max(fitsNanos, Math.max(0, delayNanos - mostNanos));
    PromisedRetry promise = promisedTo(permits, now);
    if (promise != null) {
      waitNanos = Math.min(waitNanos, nanosUntil(promise, now));
    }
    waitNanos = Math.max(waitNanos, blockNanos);
    if (waitNanos == 0) {
      return Retry.NOW;
    }
    if (takes && isDear(permits) && promise == null) {
      promised = PromisedRetry.in(waitNanos, state.share().timeToFullNanos(), now);
    }
    return new Retry.After(waitNanos);
  }

  Verdict verdict(Counter counter, Retry retry, Now now) {
    return new Verdict(counter, Math.max(0, available(now)), retry, nanosUntilFull(now));
  }

  void reset(Now now) {
    state = state.unused(now);
    promised = null;
    blockEndTickNanos = 0;
  }

  /** Denies everything for this time, unless an existing block ends later. */
  void block(long nanos, Now now) {
    blockEndTickNanos = Math.max(blockEndTickNanos, now.tickNanos() + nanos);
  }

  /** Returns how long a block lasts, or 0 when there is none. */
  long blockedNanos(Now now) {
    return Math.max(0, blockEndTickNanos - now.tickNanos());
  }

  /**
   * Returns how many permits are left. It is 0 during a block, and below zero when the limit has
   * shrunk.
   */
  long available(Now now) {
    return blockedNanos(now) > 0 ? 0 : state.available();
  }

  private boolean isDear(long permits) {
    return permits > state.capacity();
  }

  /** Returns what a request was promised; null if nothing was, or if it is not dear. */
  private @Nullable PromisedRetry promisedTo(long permits, Now now) {
    return isDear(permits) && promised != null && now.nanos() <= promised.endNanos
        ? promised
        : null;
  }

  private long nanosUntil(PromisedRetry retry, Now now) {
    return Math.max(retry.startNanos - now.nanos(), state.nanosUntilTurn(now));
  }

  /**
   * Returns the time until so many permits may be used, if they are taken now. A dear request that
   * returns as promised does not wait.
   */
  long delayNanos(long permits, Now now) {
    PromisedRetry retry = promisedTo(permits, now);
    return retry != null && nanosUntil(retry, now) == 0
        ? 0
        : state.delayNanos(Math.min(permits, state.capacity()), now);
  }

  /**
   * Takes permits for a request that is allowed. Returns the stamp for a later refund.
   *
   * @param all permits that the request takes of this, for several subjects that share it
   */
  long acquire(long permits, long all, long delayNanos, CounterKey subject, Now now) {
    if (isDear(all)) {
      promised = null;
      debtor = subject;
    }
    return state.acquire(permits, delayNanos, subject, now);
  }

  long nanosUntilFull(Now now) {
    return Math.max(state.nanosUntilFull(now), blockedNanos(now));
  }

  boolean isFull(Now now) {
    state.age(now);
    return nanosUntilUnused(now) == 0;
  }

  /**
   * Forgets all consumption. A block stays.
   *
   * @return whether the counter is now full
   */
  boolean forget(Now now) {
    state = state.unused(now);
    promised = null;
    return blockedNanos(now) == 0;
  }

  /**
   * Returns when the shard checks whether this is full, by the clock that never pauses. It is an
   * estimate. Permits that were taken since, or a pause of the other clock, make it too early. A
   * calendar that is set, or new numbers, may make it too late. An adjustment does not, because the
   * shard then queues this again.
   */
  long dueTickNanos() {
    return dueTickNanos;
  }

  /** Returns whether to check whether this is full, if it has been queued for so long. */
  boolean isDue(long queuedNanos, Now now) {
    return dueTickNanos <= now.tickNanos() && now.tickNanos() - queuedTickNanos >= queuedNanos;
  }

  /** Returns whether this is full before it is due, unless it is due already. */
  boolean isFullBeforeDue(Now now) {
    return dueTickNanos > now.tickNanos() && whenFull(now) < dueTickNanos;
  }

  /** Estimates when this is full. Called only while the entry is in no queue. */
  void guessDue(Now now) {
    queuedTickNanos = now.tickNanos();
    dueTickNanos = whenFull(now);
  }

  private long whenFull(Now now) {
    long nowNanos = now.tickNanos();
    long leftNanos = nanosUntilUnused(now);
    return leftNanos > Long.MAX_VALUE - nowNanos ? Long.MAX_VALUE : nowNanos + leftNanos;
  }

  /** Returns the time until this is as good as no entry: it is full, and nothing is promised. */
  private long nanosUntilUnused(Now now) {
    long promisedNanos = promised == null ? 0 : promised.endNanos - now.nanos() + 1;
    return Math.max(nanosUntilFull(now), promisedNanos);
  }
}
