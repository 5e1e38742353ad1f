package dev.weir.near;

import dev.weir.Amendment;
import dev.weir.Ask;
import dev.weir.Charge;
import dev.weir.Counter;
import dev.weir.Deadline;
import dev.weir.Decision;
import dev.weir.FixedWindow;
import dev.weir.Limit;
import dev.weir.LimitStore;
import dev.weir.Receipt;
import dev.weir.Source;
import dev.weir.StoreUnavailableException;
import dev.weir.Terms;
import dev.weir.Ticker;
import dev.weir.TokenBucket;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.function.Function;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Takes permits of subjects that are asked for again and again in advance, so that most of their
 * requests are decided in process.
 *
 * <p>Model. When a counter is asked for at a pace that is worth it, the thread that notices fetches
 * a lease: permits for the next few milliseconds of this node's own demand. They are charged in the
 * store when they are fetched, and spent here until the lease ends, which it does here no later
 * than there. Before that, or when few are left, some thread fetches the next one, and what is left
 * of this one goes into it. What nobody asks for any more is given back.
 *
 * <p>Invariant. What is spent here was charged there before, and is spent while the store reckons
 * with it: so all that a limit promises of what it admits at most, holds across all nodes, whatever
 * is lost, late or dead. A call whose outcome is not known ends the lease at once. What is lost so,
 * or with a node, is only not admitted. The store's scripts say why the sum is never too large.
 *
 * <p>What is given up is the other side: of what a limit admits at least, as much can be missing as
 * is leased, of a bucket at most a quarter of the burst; and who is denied while permits are out
 * may be told a longer wait than comes true. What {@code remaining} tells is what is left in the
 * store, as of the last trip there.
 *
 * <p>Token buckets and fixed windows are leased, where the request is for {@link Terms.Exactly
 * exactly} so many and all of its counters are; every other limit and request goes to the store.
 *
 * <p>Thread-safe. It has a daemon thread while there are leases.
 */
public final class LeaseStore implements LimitStore {

  private final LimitStore store;
  private final Predicate<Counter> leased;
  private final Ticker ticker;
  private final Caretaker caretaker;
  private final Leaseholds leaseholds;

  private volatile boolean closed;

  /**
   * @param store lends, and is closed with this
   * @param leased which counters may be leased, if their limit can be
   */
  public LeaseStore(LimitStore store, Predicate<Counter> leased) {
    this(store, leased, Ticker.system());
  }

  private LeaseStore(LimitStore store, Predicate<Counter> leased, Ticker ticker) {
    this(store, leased, ticker, LeaseStore::looksAfter);
  }

  /** The same with a time of its own, and nobody who looks after leases but by {@link #round}. */
  LeaseStore(
      LimitStore store,
      Predicate<Counter> leased,
      Ticker ticker,
      Function<LeaseStore, Caretaker> caretaker) {
    this.store = Objects.requireNonNull(store, "store");
    this.leased = Objects.requireNonNull(leased, "leased");
    this.ticker = Objects.requireNonNull(ticker, "ticker");
    this.caretaker = caretaker.apply(this);
    this.leaseholds = new Leaseholds(store, ticker, this.caretaker::wake);
  }

  private static Caretaker looksAfter(LeaseStore leases) {
    return new CaretakerThread("weir-leases", leases::round);
  }

  /** Whether permits of this limit can be leased at all. */
  public static boolean canLease(Limit limit) {
    return limit instanceof TokenBucket || limit instanceof FixedWindow;
  }

  @Override
  public Decision decide(Ask ask) throws StoreUnavailableException {
    if (closed || !isLeased(ask)) {
      return store.decide(ask);
    }
    return ask.charges().size() == 1 ? one(ask.charges().get(0), ask) : all(ask);
  }

  private boolean isLeased(Ask ask) {
    if (!(ask.terms() instanceof Terms.Exactly)) {
      return false;
    }
    for (Charge charge : ask.charges()) {
      Counter counter = charge.counter();
      if (!canLease(counter.limit()) || !leased.test(counter) || charge.isNeverSatisfiable()) {
        return false;
      }
    }
    return true;
  }

  private Decision one(Charge charge, Ask ask) throws StoreUnavailableException {
    Ask timed = ask;
    long nowNanos = ticker.nanoTime();
    Leasehold leasehold = leaseholds.of(charge.counter(), nowNanos);
    if (leasehold.isDue(charge.permits(), nowNanos)) {
      timed = ask.begun();
      leaseholds.fetch(leasehold, charge, timed);
      nowNanos = ticker.nanoTime();
    }
    Decision.@Nullable Counted spent = leasehold.spend(charge, nowNanos);
    if (spent != null) {
      return spent;
    }
    leasehold.missed(charge.permits(), nowNanos);
    return store.decide(timed);
  }

  /** All of them are spent, or none is. */
  private Decision all(Ask ask) throws StoreUnavailableException {
    Ask timed = ask;
    List<Charge> charges = ask.charges();
    long nowNanos = ticker.nanoTime();
    List<Leasehold> all = new ArrayList<>(charges.size());
    for (Charge charge : charges) {
      all.add(leaseholds.of(charge.counter(), nowNanos));
    }
    if (areAllOfUse(charges, all, nowNanos)) {
      timed = ask.begun();
      fetchDue(charges, all, nowNanos, timed);
    }
    Decision.@Nullable Counted spent = take(charges, all, ticker.nanoTime());
    return spent == null ? store.decide(timed) : spent;
  }

  /** A lease is of no use where another counter of the request has to be asked for anyway. */
  private static boolean areAllOfUse(List<Charge> charges, List<Leasehold> all, long nowNanos) {
    boolean isAnyDue = false;
    for (int i = 0; i < charges.size(); i++) {
      boolean isDue = all.get(i).isDue(charges.get(i).permits(), nowNanos);
      if (!isDue && all.get(i).possession(nowNanos) == null) {
        return false;
      }
      isAnyDue |= isDue;
    }
    return isAnyDue;
  }

  /** While there is time: a lease that cannot be asked for any more is not to be lost for it. */
  private void fetchDue(List<Charge> charges, List<Leasehold> all, long nowNanos, Ask timed) {
    for (int i = 0; i < charges.size(); i++) {
      Charge charge = charges.get(i);
      if (all.get(i).isDue(charge.permits(), nowNanos) && !timed.deadline().hasPassed()) {
        leaseholds.fetch(all.get(i), charge, timed);
      }
    }
  }

  private static Decision.@Nullable Counted take(
      List<Charge> charges, List<Leasehold> all, long nowNanos) {
    List<Possession> leases = new ArrayList<>(charges.size());
    long[] rounds = new long[charges.size()];
    for (int i = 0; i < rounds.length; i++) {
      @Nullable Possession lease = all.get(i).possession(nowNanos);
      long permits = charges.get(i).permits();
      rounds[i] = lease == null ? Stock.NONE : all.get(i).stock().take(permits);
      if (lease == null || rounds[i] == Stock.NONE) {
        putBack(charges, all, rounds, i);
        miss(charges, all, nowNanos);
        return null;
      }
      leases.add(lease);
    }
    return Possession.decision(charges, leases);
  }

  private static void putBack(List<Charge> charges, List<Leasehold> all, long[] rounds, int count) {
    for (int i = 0; i < count; i++) {
      all.get(i).stock().putBack(charges.get(i).permits(), rounds[i]);
    }
  }

  private static void miss(List<Charge> charges, List<Leasehold> all, long nowNanos) {
    for (int i = 0; i < charges.size(); i++) {
      all.get(i).missed(charges.get(i).permits(), nowNanos);
    }
  }

  /** As {@link Leaseholds#round} says, for whoever looks after leases. */
  boolean round() {
    return leaseholds.round();
  }

  /**
   * {@inheritDoc}
   *
   * <p>What was granted out of a lease is amended in the store that lent. A change to a counter
   * ends the lease that this node has of it; of other nodes', within the length of a lease, what is
   * left of them is spent.
   */
  @Override
  public boolean amend(Amendment amendment, Deadline deadline) throws StoreUnavailableException {
    if (amendment instanceof Amendment.OfCounter ofCounter) {
      return amendCounter(ofCounter, deadline);
    }
    return store.amend(asLent(amendment), deadline);
  }

  private boolean amendCounter(Amendment.OfCounter amendment, Deadline deadline)
      throws StoreUnavailableException {
    Deadline due = deadline.begun();
    try {
      return store.amend(amendment, due);
    } finally {
      leaseholds.revoke(amendment, due);
    }
  }

  private static Amendment asLent(Amendment amendment) {
    if (amendment instanceof Amendment.GiveBack back && isOfLease(back.receipt())) {
      return new Amendment.GiveBack(lent(back.receipt()));
    }
    if (amendment instanceof Amendment.Settle settle && isOfLease(settle.receipt())) {
      return new Amendment.Settle(lent(settle.receipt()), settle.spent());
    }
    if (amendment instanceof Amendment.Renew renew && isOfLease(renew.receipt())) {
      return new Amendment.Renew(lent(renew.receipt()));
    }
    return amendment;
  }

  private static boolean isOfLease(Receipt receipt) {
    return receipt.source() == Source.LEASE;
  }

  private static Receipt lent(Receipt receipt) {
    return new Receipt(Source.REDIS, receipt.grants());
  }

  @Override
  public boolean isHealthy() {
    return store.isHealthy();
  }

  /** What is left of leases is given back, as far as the store can be reached. */
  @Override
  public void close() {
    closed = true;
    caretaker.close();
    leaseholds.end();
    store.close();
  }
}
