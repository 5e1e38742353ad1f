package dev.weir.near;

import dev.weir.internal.Expect;
import dev.weir.internal.store.Scheduler;
import dev.weir.store.AcquireRequest;
import dev.weir.store.AcquireRequest.Charge;
import dev.weir.store.AcquireRequest.Mode;
import dev.weir.store.Adjustment;
import dev.weir.store.Counter;
import dev.weir.store.Deadline;
import dev.weir.store.Decision;
import dev.weir.store.Decision.Receipt;
import dev.weir.store.LimitStore;
import dev.weir.store.Source;
import dev.weir.store.StoreUnavailableException;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Takes permits of frequently requested subjects in advance, so that most of their requests are
 * decided in process. Thread-safe. It has a daemon thread while there are leases. To close it
 * returns them, and closes the store that lends.
 *
 * <pre>{@code
 * RedisLimitStore redis = RedisLimitStore.connect("redis://localhost", "shop");
 * try (LimitStore store = TokenLeaseStore.of(redis, counter -> counter.name().equals("all"))) {
 *   System.out.println(TokenLimiter.of("all", "50_000 per second", store).tryAcquire("user-42"));
 * }
 * }</pre>
 *
 * <p>Model. When the demand for a counter justifies it, the thread that notices fetches a lease. A
 * lease is permits for the next few milliseconds of this node's own demand. The store charges them
 * when they are fetched. They are spent here until the lease ends, which is no later than in the
 * store. Before that, or when few are left, a thread fetches the next lease, and the rest of this
 * one goes into it. Permits that are no longer requested are returned.
 *
 * <p>Invariant. Permits spent here were charged in the store before, and are spent while the store
 * accounts for them. Every maximum that a limit guarantees therefore holds across all nodes,
 * whatever is lost, late or dead. A call with an unknown outcome ends the lease at once. Permits
 * lost in this way, or with a node, only reduce what is allowed. The store's scripts explain why
 * the sum is never too large.
 *
 * <p>The cost is on the other side. The minimum that a limit allows may be missing as many permits
 * as are leased, for a bucket at most a quarter of the burst. A request that is denied while
 * permits are leased may get a longer wait than necessary. The value of {@code remaining} is what
 * is left in the store, as of the last call there. A {@link Mode.Peek} goes to the store, so it may
 * be denied what a request gets from the lease.
 *
 * <p>Only token buckets and fixed windows are leased. The request must be for {@link Mode.Exactly
 * exactly} so many permits, and all its counters must be leased. Every other limit and request goes
 * to the store.
 */
public final class TokenLeaseStore implements LimitStore {

  private final LimitStore store;
  private final Predicate<Counter> leased;
  private final Ticker ticker;
  private final TokenLeases leases;

  private volatile boolean closed;

  /**
   * Returns a store that leases permits of another store.
   *
   * @param store lends, and is closed with this
   * @param leased which counters may be leased, if their limit can be
   * @throws IllegalArgumentException when the store does not lend
   */
  public static TokenLeaseStore of(LimitStore store, Predicate<Counter> leased) {
    return new TokenLeaseStore(
        store, leased, Ticker.system(), new Scheduler.OneThread("weir-leases"));
  }

  /** Creates a store with its own clock, and a scheduler of leases that is closed with it. */
  TokenLeaseStore(LimitStore store, Predicate<Counter> leased, Ticker ticker, Scheduler scheduler) {
    this.store = Objects.requireNonNull(store, "store");
    this.leased = Objects.requireNonNull(leased, "leased");
    this.ticker = Objects.requireNonNull(ticker, "ticker");
    Lending lending =
        store
            .lending()
            .orElseThrow(
                () -> Expect.failure("store", store.getClass().getName(), "one that lends"));
    this.leases = new TokenLeases(lending, ticker, scheduler);
  }

  @Override
  public Decision decide(AcquireRequest request) throws StoreUnavailableException {
    if (closed || !mayBeLeased(request)) {
      return store.decide(request);
    }
    return request.charges().size() == 1 ? one(request.charges().get(0), request) : all(request);
  }

  private boolean mayBeLeased(AcquireRequest request) {
    if (!(request.mode() instanceof Mode.Exactly)) {
      return false;
    }
    for (Charge charge : request.charges()) {
      Counter counter = charge.counter();
      if (!counter.limit().algorithm().isLeasable()
          || !leased.test(counter)
          || charge.isNeverSatisfiable()
          || charge.permits() == 0) { // only the store knows whether the counter is blocked
        return false;
      }
    }
    return true;
  }

  private Decision one(Charge charge, AcquireRequest request) throws StoreUnavailableException {
    AcquireRequest timed = request;
    long nowNanos = ticker.nanoTime();
    TokenLease lease = leases.of(charge.counter(), nowNanos);
    if (lease.isDue(charge.permits(), nowNanos)) {
      timed = request.begun();
      try {
        leases.fetch(lease, charge, timed.deadline());
      } catch (StoreUnavailableException failed) {
        lease.missed(charge.permits(), ticker.nanoTime());
        return withoutLease(timed, failed);
      }
      nowNanos = ticker.nanoTime();
    }
    @Nullable LeaseState state = lease.state(nowNanos);
    if (state != null && lease.available().take(charge.permits()) != AvailablePermits.NONE) {
      return state.granted(charge);
    }
    lease.missed(charge.permits(), nowNanos);
    return store.decide(timed);
  }

  /**
   * Decides in the store after a fetch has failed. The fetch may have used the time of the request.
   * Then its failure is the reason, not a caller without time.
   */
  private Decision withoutLease(AcquireRequest timed, StoreUnavailableException failed)
      throws StoreUnavailableException {
    try {
      return store.decide(timed);
    } catch (StoreUnavailableException e) {
      throw e.kind() == StoreUnavailableException.Kind.OUT_OF_TIME ? failed : e;
    }
  }

  /** Spends from all leases or from none. */
  private Decision all(AcquireRequest request) throws StoreUnavailableException {
    AcquireRequest timed = request;
    List<Charge> charges = request.charges();
    long nowNanos = ticker.nanoTime();
    List<TokenLease> all = new ArrayList<>(charges.size());
    for (Charge charge : charges) {
      all.add(leases.of(charge.counter(), nowNanos));
    }
    if (areAllOfUse(charges, all, nowNanos)) {
      timed = request.begun();
      try {
        for (int i = 0; i < charges.size(); i++) {
          Charge charge = charges.get(i);
          // a fetch after the deadline would lose the lease
          if (all.get(i).isDue(charge.permits(), nowNanos) && !timed.deadline().hasPassed()) {
            leases.fetch(all.get(i), charge, timed.deadline());
          }
        }
      } catch (StoreUnavailableException failed) {
        miss(charges, all, ticker.nanoTime());
        return withoutLease(timed, failed);
      }
    }
    Decision.@Nullable Counted spent = take(charges, all, ticker.nanoTime());
    return spent == null ? store.decide(timed) : spent;
  }

  /**
   * Returns whether a fetch is useful. It is not if another counter requires a call to the store
   * anyway.
   */
  private static boolean areAllOfUse(List<Charge> charges, List<TokenLease> all, long nowNanos) {
    boolean isAnyDue = false;
    for (int i = 0; i < charges.size(); i++) {
      boolean isDue = all.get(i).isDue(charges.get(i).permits(), nowNanos);
      if (!isDue && all.get(i).state(nowNanos) == null) {
        return false;
      }
      isAnyDue |= isDue;
    }
    return isAnyDue;
  }

  private static Decision.@Nullable Counted take(
      List<Charge> charges, List<TokenLease> all, long nowNanos) {
    List<LeaseState> states = new ArrayList<>(charges.size());
    long[] rounds = new long[charges.size()];
    for (int i = 0; i < rounds.length; i++) {
      @Nullable LeaseState state = all.get(i).state(nowNanos);
      long permits = charges.get(i).permits();
      rounds[i] = state == null ? AvailablePermits.NONE : all.get(i).available().take(permits);
      if (state == null || rounds[i] == AvailablePermits.NONE) {
        for (int taken = 0; taken < i; taken++) {
          all.get(taken).available().putBack(charges.get(taken).permits(), rounds[taken]);
        }
        miss(charges, all, nowNanos);
        return null;
      }
      states.add(state);
    }
    return LeaseState.decision(charges, states);
  }

  private static void miss(List<Charge> charges, List<TokenLease> all, long nowNanos) {
    for (int i = 0; i < charges.size(); i++) {
      all.get(i).missed(charges.get(i).permits(), nowNanos);
    }
  }

  /**
   * {@inheritDoc}
   *
   * <p>Grants from a lease are adjusted in the store that lent them. A change to a counter ends
   * this node's lease of it. Other nodes may still spend the rest of theirs, within the length of a
   * lease.
   */
  @Override
  public Set<Receipt.Grant> adjust(Adjustment adjustment, Deadline deadline)
      throws StoreUnavailableException {
    if (!(adjustment instanceof Adjustment.OfCounter ofCounter)) {
      return store.adjust(asLent(adjustment), deadline);
    }
    Deadline due = deadline.begun();
    try {
      return store.adjust(adjustment, due);
    } finally {
      leases.revoke(ofCounter, due);
    }
  }

  private static Adjustment asLent(Adjustment adjustment) {
    if (!(adjustment instanceof Adjustment.OfReceipt ofReceipt)
        || ofReceipt.receipt().source() != Source.LEASE) {
      return adjustment;
    }
    Receipt lent = new Receipt(Source.REDIS, ofReceipt.receipt().grants());
    if (adjustment instanceof Adjustment.Reconcile reconcile) {
      return new Adjustment.Reconcile(lent, reconcile.spent());
    }
    return adjustment instanceof Adjustment.Renew
        ? new Adjustment.Renew(lent)
        : new Adjustment.Refund(lent);
  }

  /** Returns of how many counters this node holds leased permits now. */
  public int leases() {
    return leases.held();
  }

  @Override
  public boolean isHealthy() {
    return store.isHealthy();
  }

  /** Returns what is left of leases, as far as the store can be reached within a second. */
  @Override
  public void close() {
    closed = true;
    try {
      leases.end();
    } finally {
      store.close();
    }
  }
}
