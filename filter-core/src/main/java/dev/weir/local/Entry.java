package dev.weir.local;

import dev.weir.internal.store.CounterKeys.CounterKey;
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
 * queue. Its shard's lock guards it. The time is that of its state's last aging.
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

    static PromisedRetry in(long waitNanos, long lastsNanos, long nowNanos) {
      long startNanos = nowNanos + Math.min(waitNanos, LONGEST_NANOS);
      long longNanos = Math.max(SHORTEST_NANOS, Math.min(lastsNanos, LONGEST_NANOS));
      return new PromisedRetry(startNanos, startNanos + longNanos);
    }
  }

  Entry(CounterKey key, String limit, CounterState state) {
    this.key = key;
    this.limit = limit;
    this.state = state;
    this.dueTickNanos = state.tickNanos();
    this.queuedTickNanos = state.tickNanos();
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
  CounterState stateFor(CounterKey subject) {
    CounterState own = state.copyFor(subject);
    if (debtor == null || !debtor.equals(subject)) {
      own.forgive();
    }
    return own;
  }

  /** Advances time to now, and applies the current numbers. Consumption carries over. */
  void bringUpToDate(
      Counter counter, NodeLimits nodeLimits, int nodes, long nanos, long tickNanos) {
    state.age(nanos, tickNanos);
    if (!state.isShareOf(counter.limit(), nodes)) {
      CounterState next = nodeLimits.open(counter, nodes, nanos, tickNanos);
      state.carryOver(next);
      state = next;
    }
  }

  /**
   * Decides a request for this counter alone.
   *
   * @param subject of the counter that was requested, which may share this one with others
   */
  Decision decide(Charge requested, Mode mode, CounterKey subject) {
    if (mode instanceof Mode.OrBlock orBlock) {
      return takeOrBlock(requested, orBlock.duration().toNanos(), subject);
    }
    Charge charge = requested;
    if (mode instanceof Mode.UpTo) {
      long there = Math.min(requested.permits(), available());
      charge = new Charge(requested.counter(), Math.max(1, there));
    }
    long patienceNanos =
        mode instanceof Mode.Within within ? TimeUnit.NANOSECONDS.convert(within.maxWait()) : 0;
    boolean takes = !(mode instanceof Mode.Peek);
    Retry retry = retry(charge, charge.permits(), patienceNanos, takes);
    Receipt receipt = NOTHING;
    long delayNanos = 0;
    if (takes && retry instanceof Retry.Now && charge.permits() > 0) {
      delayNanos = mode instanceof Mode.Within ? delayNanos(charge.permits()) : 0;
      long stamp = acquire(charge.permits(), charge.permits(), delayNanos, subject);
      receipt = new Receipt(Source.LOCAL, List.of(new Receipt.Grant(charge, stamp)));
    }
    List<Verdict> verdicts = List.of(verdict(charge.counter(), retry, subject));
    Duration delay = delayNanos == 0 ? Duration.ZERO : Duration.ofNanos(delayNanos);
    return new Decision.Counted(Source.LOCAL, verdicts, receipt, delay);
  }

  /**
   * Takes permits if more remain after that. Otherwise forgets what was taken, and blocks. An entry
   * that several subjects share does neither.
   */
  private Decision takeOrBlock(Charge charge, long nanos, CounterKey subject) {
    Receipt receipt = NOTHING;
    if (key.equals(subject) && blockedNanos() == 0) {
      if (charge.permits() < state.available()) {
        long stamp = acquire(charge.permits(), charge.permits(), 0, subject);
        receipt = new Receipt(Source.LOCAL, List.of(new Receipt.Grant(charge, stamp)));
      } else {
        reset();
        block(nanos);
      }
    }
    List<Verdict> verdicts = List.of(verdict(charge.counter(), retryAfterBlock(), subject));
    return new Decision.Counted(Source.LOCAL, verdicts, receipt, Duration.ZERO);
  }

  private Retry retryAfterBlock() {
    long blockNanos = blockedNanos();
    return blockNanos == 0 ? Retry.NOW : new Retry.After(blockNanos);
  }

  /**
   * Returns when the charge fits. A dear request that is denied is promised a retry, if it would
   * take permits and no earlier one has the promise.
   *
   * @param permits all that the request requires of this, for several subjects that share it
   */
  Retry retry(Charge charge, long permits, long patienceNanos, boolean takes) {
    if (charge.permits() == 0) {
      return retryAfterBlock();
    }
    if (state.isBeyondLimit(charge.permits())) {
      return Retry.NEVER;
    }
    // during a block nothing is allowed, and nothing can wait
    long blockNanos = blockedNanos();
    long mostNanos = blockNanos == 0 ? patienceNanos : 0;
    long fitsNanos = isDear(permits) ? state.nanosUntilFree() : state.nanosUntilFits(permits);
    long delayNanos = state.delayNanos(Math.min(permits, state.capacity()));
    long waitNanos = Math.max(fitsNanos, Math.max(0, delayNanos - mostNanos));
    PromisedRetry promise = promisedTo(permits);
    if (promise != null) {
      waitNanos = Math.min(waitNanos, nanosUntil(promise));
    }
    waitNanos = Math.max(waitNanos, blockNanos);
    if (waitNanos == 0) {
      return Retry.NOW;
    }
    if (takes && isDear(permits) && promise == null) {
      promised = PromisedRetry.in(waitNanos, state.share().timeToFullNanos(), state.nanos());
    }
    return new Retry.After(waitNanos);
  }

  Verdict verdict(Counter counter, Retry retry, CounterKey subject) {
    boolean isOwn = retry instanceof Retry.Now || key.equals(subject);
    return new Verdict(
        counter, Math.max(0, available()), retry, nanosUntilFull(), isOwn, blockedNanos());
  }

  void reset() {
    state = state.unusedNow();
    promised = null;
    blockEndTickNanos = 0;
  }

  /** Denies everything for this time, unless an existing block ends later. */
  void block(long nanos) {
    blockEndTickNanos = Math.max(blockEndTickNanos, state.tickNanos() + nanos);
  }

  /** Returns how long a block lasts, or 0 when there is none. */
  long blockedNanos() {
    return Math.max(0, blockEndTickNanos - state.tickNanos());
  }

  /**
   * Returns how many permits are left. It is 0 during a block, and below zero when the limit has
   * shrunk.
   */
  long available() {
    return blockedNanos() > 0 ? 0 : state.available();
  }

  private boolean isDear(long permits) {
    return permits > state.capacity();
  }

  /** Returns what a request was promised; null if nothing was, or if it is not dear. */
  private @Nullable PromisedRetry promisedTo(long permits) {
    return isDear(permits) && promised != null && state.nanos() <= promised.endNanos
        ? promised
        : null;
  }

  private long nanosUntil(PromisedRetry retry) {
    return Math.max(retry.startNanos - state.nanos(), state.nanosUntilTurn());
  }

  /**
   * Returns the time until so many permits may be used, if they are taken now. A dear request that
   * returns as promised does not wait.
   */
  long delayNanos(long permits) {
    PromisedRetry retry = promisedTo(permits);
    return retry != null && nanosUntil(retry) == 0
        ? 0
        : state.delayNanos(Math.min(permits, state.capacity()));
  }

  /**
   * Takes permits for a request that is allowed. Returns the stamp for a later refund.
   *
   * @param all permits that the request takes of this, for several subjects that share it
   */
  long acquire(long permits, long all, long delayNanos, CounterKey subject) {
    if (isDear(all)) {
      promised = null;
      debtor = subject;
    }
    return state.acquire(permits, delayNanos, subject);
  }

  long nanosUntilFull() {
    return Math.max(state.nanosUntilFull(), blockedNanos());
  }

  boolean isFull(long nanos, long tickNanos) {
    state.age(nanos, tickNanos);
    return nanosUntilUnused() == 0;
  }

  /** Forgets all consumption, and no block. Returns whether the counter is now full. */
  boolean forget() {
    state = state.unusedNow();
    promised = null;
    return blockedNanos() == 0;
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
  boolean isDue(long queuedNanos, long tickNanos) {
    return dueTickNanos <= tickNanos && tickNanos - queuedTickNanos >= queuedNanos;
  }

  /** Returns whether this is full before it is due, unless it is due already. */
  boolean isFullBeforeDue() {
    return dueTickNanos > state.tickNanos() && whenFull() < dueTickNanos;
  }

  /** Estimates when this is full. Called only while the entry is in no queue. */
  void guessDue() {
    queuedTickNanos = state.tickNanos();
    dueTickNanos = whenFull();
  }

  private long whenFull() {
    long nowNanos = state.tickNanos();
    long leftNanos = nanosUntilUnused();
    return leftNanos > Long.MAX_VALUE - nowNanos ? Long.MAX_VALUE : nowNanos + leftNanos;
  }

  /** Returns the time until this is as good as no entry: it is full, and nothing is promised. */
  private long nanosUntilUnused() {
    long promisedNanos = promised == null ? 0 : promised.endNanos - state.nanos() + 1;
    return Math.max(nanosUntilFull(), promisedNanos);
  }
}
