package dev.weir;

import dev.weir.store.AcquireRequest;
import dev.weir.store.AcquireRequest.Mode;
import dev.weir.store.Adjustment;
import dev.weir.store.Deadline;
import dev.weir.store.Decision;
import dev.weir.store.LimitStore;
import dev.weir.store.LimiterListener;
import dev.weir.store.Source;
import dev.weir.store.StoreUnavailableException;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.Set;

/**
 * A store that tries a shared store first. When that is gone, {@link AcquireRequest#onOutage}
 * applies: this store limits by the fallback, allows, or denies. Thread-safe. To close it closes
 * both.
 *
 * <pre>{@code
 * RedisLimitStore redis = RedisLimitStore.connect("redis://localhost", "shop");
 * LocalOptions local = LocalOptions.of().withNodes(redis.nodes(2));
 * try (LimitStore store = FailoverLimitStore.of(redis, LocalLimitStore.of(local))) {
 *   System.out.println(TokenLimiter.of("calls", "5 per minute", store).tryAcquire("user-42"));
 * }
 * }</pre>
 *
 * <p>Each request is tried in the shared store first, also during an outage. So decisions return to
 * the shared store as soon as it makes them. {@link Decision#source} returns where a decision was
 * made. It is {@link Source#LOCAL} also for a single request that was out of time, or that failed
 * alone.
 *
 * <p>An outage begins with the first decision that the shared store could not make because it was
 * out or overloaded. It ends with the first decision that the shared store makes under two
 * conditions. All of the shared store is healthy, and no decision has failed in that way for 1.5
 * seconds.
 *
 * <p>The end of an outage stops the fallback's clock, so that a shared store that flaps refills
 * nothing. The next decision by the fallback starts the clock again. That decision need not be part
 * of an outage. A caller may have had too little time, or its request may have failed alone. Then
 * the clock runs until the end of the next outage, as it does before the first one. So requests
 * that only the fallback decides have their share of the rate, however few they are.
 *
 * <p>A shared store may report that it is healthy and still fail some requests among many. Those
 * requests still have their share of the rate. Decisions that the shared store makes during an
 * outage are valid.
 *
 * <p>So an outage ends later here than for the breaker of a Redis primary. Nothing reports this
 * end, which matters only to the fallback's clock. When the breaker opens and closes, {@link
 * LimiterListener#onStoreSwitched} is called. That is when decisions move to the fallback and back.
 */
public final class FailoverLimitStore implements LimitStore {

  /**
   * Covers several probes of a shared store. If it fails now and then, it has failed again by then.
   */
  private static final long QUIET_NANOS = Duration.ofMillis(1_500).toNanos();

  /** The clock of the fallback, in the order in which a state replaces those before it. */
  private enum Clock {
    /** The shared store has made all decisions since an outage ended. */
    STOPPED,
    /** It runs, and no outage has begun since it was started. */
    RUNS,
    /** It runs until the end of this outage. */
    RUNS_IN_OUTAGE
  }

  private final LimitStore shared;
  private final Fallback fallback;
  private final Ticker ticker;
  private final Object change = new Object();
  private volatile Clock clock = Clock.RUNS;

  private volatile boolean closed;

  /** Undefined before the first outage. */
  private volatile long lastFailureNanos;

  /**
   * Returns a store that falls back to another.
   *
   * @param shared closed with this store
   * @param fallback closed with this store
   */
  public static FailoverLimitStore of(LimitStore shared, Fallback fallback) {
    return of(shared, fallback, Ticker.system());
  }

  /** Returns the same with another source of time. */
  public static FailoverLimitStore of(LimitStore shared, Fallback fallback, Ticker ticker) {
    return new FailoverLimitStore(shared, fallback, ticker);
  }

  private FailoverLimitStore(LimitStore shared, Fallback fallback, Ticker ticker) {
    this.shared = Objects.requireNonNull(shared, "shared");
    this.fallback = Objects.requireNonNull(fallback, "fallback");
    this.ticker = Objects.requireNonNull(ticker, "ticker");
  }

  @Override
  public Decision decide(AcquireRequest request) throws StoreUnavailableException {
    Decision decision;
    try {
      decision = shared.decide(request);
    } catch (StoreUnavailableException gone) {
      if (closed) {
        throw gone;
      }
      if (isOutage(gone.kind())) {
        lastFailureNanos = ticker.nanoTime();
        run(Clock.RUNS_IN_OUTAGE);
      }
      return withoutShared(request, gone);
    }
    if (clock == Clock.RUNS_IN_OUTAGE) {
      endOutageIfOver();
    }
    return decision;
  }

  /**
   * Returns whether an outage begins or continues. A caller without time, a slot that moves, a
   * missing right and a bug say nothing about the shared store. It continues to decide all other
   * requests.
   */
  private static boolean isOutage(StoreUnavailableException.Kind kind) {
    return switch (kind) {
      case OUTAGE, OVERLOADED -> true;
      case OUT_OF_TIME, FAILED -> false;
    };
  }

  private Decision withoutShared(AcquireRequest request, StoreUnavailableException gone)
      throws StoreUnavailableException {
    return switch (request.onOutage()) {
      case ALLOW -> Decision.failOpen();
      case LOCAL -> {
        run(Clock.RUNS); // otherwise nothing that is taken would ever come back
        // a wait would end alongside requests that the shared store allows after the outage
        yield byShare(
            fallback.decide(
                request.mode() instanceof Mode.Within ? request.in(Mode.EXACTLY) : request));
      }
      case DENY -> Decision.failClosed(gone.nextProbe());
    };
  }

  /** Marks denials: a subject that has used up this node's share may have kept its limit. */
  private static Decision byShare(Decision decision) {
    if (decision.allowed() || !(decision instanceof Decision.Counted counted)) {
      return decision;
    }
    List<Decision.Verdict> verdicts =
        counted.verdicts().stream().map(one -> one.fits() ? one : one.notOwn()).toList();
    return Decision.counted(counted.source(), verdicts, counted.receipt(), counted.delay());
  }

  /**
   * Starts the fallback's clock, unless it already runs so, or in an outage. A caller that sees an
   * outage waits here until the clock runs.
   */
  private void run(Clock next) {
    if (clock.compareTo(next) >= 0) {
      return;
    }
    synchronized (change) {
      if (clock.compareTo(next) < 0) {
        fallback.resume();
        clock = next;
      }
    }
  }

  private void endOutageIfOver() {
    if (!isQuiet() || !shared.isHealthy()) {
      return;
    }
    synchronized (change) {
      if (clock == Clock.RUNS_IN_OUTAGE && isQuiet()) {
        fallback.suspend();
        clock = Clock.STOPPED;
      }
    }
  }

  private boolean isQuiet() {
    return ticker.nanoTime() - lastFailureNanos >= QUIET_NANOS;
  }

  /**
   * {@inheritDoc}
   *
   * <p>A grant is adjusted in the store that made it. Any other change is made in both stores,
   * whether or not there is an outage. When this throws, the store that could make the change has
   * made it.
   */
  @Override
  public Set<Decision.Receipt.Grant> adjust(Adjustment adjustment, Deadline deadline)
      throws StoreUnavailableException {
    if (adjustment instanceof Adjustment.OfReceipt ofReceipt) {
      LimitStore maker = ofReceipt.receipt().source() == Source.LOCAL ? fallback : shared;
      return maker.adjust(adjustment, deadline);
    }
    try {
      return fallback.adjust(adjustment, deadline);
    } finally {
      shared.adjust(adjustment, deadline);
    }
  }

  @Override
  public boolean isHealthy() {
    return shared.isHealthy();
  }

  @Override
  public void close() {
    try {
      shared.close();
    } finally {
      closed = true;
      fallback.close();
    }
  }
}
