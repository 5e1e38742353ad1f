package dev.weir.near;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import dev.weir.Amendment;
import dev.weir.Ask;
import dev.weir.Charge;
import dev.weir.Counter;
import dev.weir.Deadline;
import dev.weir.Decision;
import dev.weir.FixedWindow;
import dev.weir.LeaseSettlement;
import dev.weir.Limit;
import dev.weir.LimitStore;
import dev.weir.Receipt;
import dev.weir.Source;
import dev.weir.StoreUnavailableException;
import dev.weir.Terms;
import dev.weir.Ticker;
import dev.weir.TokenBucket;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
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

  private static final int MOST_COUNTERS = 10_000;
  private static final Duration ENDING = Duration.ofMillis(50);
  private static final Duration CLOSING = Duration.ofMillis(400);

  private final LimitStore store;
  private final Predicate<Counter> leased;
  private final Ticker ticker;
  private final Caretaker caretaker;
  private final Cache<CounterKey, Leasehold> counters;

  /** Those that hold something, be they forgotten by the cache. */
  private final Set<Leasehold> held = ConcurrentHashMap.newKeySet();

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
    counters = Caffeine.newBuilder().maximumSize(MOST_COUNTERS).executor(Runnable::run).build();
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
    Leasehold leasehold = leasehold(charge.counter(), nowNanos);
    if (leasehold.isDue(charge.permits(), nowNanos)) {
      timed = ask.begun();
      fetch(leasehold, charge, timed);
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
    List<Leasehold> leaseholds = new ArrayList<>(charges.size());
    for (Charge charge : charges) {
      Leasehold leasehold = leasehold(charge.counter(), nowNanos);
      leaseholds.add(leasehold);
    }
    if (areAllOfUse(charges, leaseholds, nowNanos)) {
      timed = ask.begun();
      fetchDue(charges, leaseholds, nowNanos, timed);
    }
    Decision.@Nullable Counted spent = take(charges, leaseholds, ticker.nanoTime());
    return spent == null ? store.decide(timed) : spent;
  }

  /** A lease is of no use where another counter of the request has to be asked for anyway. */
  private static boolean areAllOfUse(
      List<Charge> charges, List<Leasehold> leaseholds, long nowNanos) {
    boolean isAnyDue = false;
    for (int i = 0; i < charges.size(); i++) {
      boolean isDue = leaseholds.get(i).isDue(charges.get(i).permits(), nowNanos);
      if (!isDue && leaseholds.get(i).possession(nowNanos) == null) {
        return false;
      }
      isAnyDue |= isDue;
    }
    return isAnyDue;
  }

  /** While there is time: a lease that cannot be asked for any more is not to be lost for it. */
  private void fetchDue(
      List<Charge> charges, List<Leasehold> leaseholds, long nowNanos, Ask timed) {
    for (int i = 0; i < charges.size(); i++) {
      Charge charge = charges.get(i);
      if (leaseholds.get(i).isDue(charge.permits(), nowNanos) && !timed.deadline().hasPassed()) {
        fetch(leaseholds.get(i), charge, timed);
      }
    }
  }

  private static Decision.@Nullable Counted take(
      List<Charge> charges, List<Leasehold> leaseholds, long nowNanos) {
    List<Possession> leases = new ArrayList<>(charges.size());
    long[] rounds = new long[charges.size()];
    for (int i = 0; i < rounds.length; i++) {
      @Nullable Possession lease = leaseholds.get(i).possession(nowNanos);
      long permits = charges.get(i).permits();
      rounds[i] = lease == null ? Stock.NONE : leaseholds.get(i).stock().take(permits);
      if (lease == null || rounds[i] == Stock.NONE) {
        putBack(charges, leaseholds, rounds, i);
        miss(charges, leaseholds, nowNanos);
        return null;
      }
      leases.add(lease);
    }
    return Possession.decision(charges, leases);
  }

  private static void putBack(
      List<Charge> charges, List<Leasehold> leaseholds, long[] rounds, int count) {
    for (int i = 0; i < count; i++) {
      leaseholds.get(i).stock().putBack(charges.get(i).permits(), rounds[i]);
    }
  }

  private static void miss(List<Charge> charges, List<Leasehold> leaseholds, long nowNanos) {
    for (int i = 0; i < charges.size(); i++) {
      leaseholds.get(i).missed(charges.get(i).permits(), nowNanos);
    }
  }

  private Leasehold leasehold(Counter counter, long nowNanos) {
    CounterKey key = CounterKey.of(counter);
    @Nullable Leasehold known = counters.getIfPresent(key);
    if (known != null && known.isOf(counter.limit())) {
      return known;
    }
    // of other numbers: what that one holds is given back in time
    return counters
        .asMap()
        .compute(
            key,
            (same, present) ->
                present != null && present.isOf(counter.limit())
                    ? present
                    : new Leasehold(counter, nowNanos));
  }

  /** Where it fails, the store is asked for the request itself next, and tells. */
  private void fetch(Leasehold leasehold, Charge charge, Ask ask) {
    if (!leasehold.enter()) {
      return;
    }
    try {
      long askedNanos = ticker.nanoTime();
      long wanted = leasehold.begin(charge.permits(), askedNanos);
      if (wanted > 0) {
        fetch(leasehold, wanted, ask, askedNanos);
      }
    } finally {
      leasehold.leave();
    }
    if (leasehold.isRevoked()) {
      end(leasehold, Deadline.within(ENDING)); // who has revoked it could not enter
    }
  }

  private void fetch(Leasehold leasehold, long wanted, Ask ask, long askedNanos) {
    boolean isKnown = false;
    try {
      Charge all = new Charge(leasehold.counter(), wanted);
      Terms terms = new Terms.Leased(leasehold.settled());
      Decision decision =
          store.decide(new Ask(List.of(all), terms, ask.onOutage(), ask.deadline()));
      if (decision instanceof Decision.Lent lent) {
        leasehold.finish(lent, wanted, askedNanos);
        isKnown = true;
        lookAfter(leasehold);
      }
    } catch (StoreUnavailableException gone) {
      // and so is the lease
    } finally {
      if (!isKnown) {
        leasehold.lose(askedNanos);
      }
    }
  }

  private void lookAfter(Leasehold leasehold) {
    if (leasehold.isHeld()) {
      held.add(leasehold);
      caretaker.wake(); // be it that it fell over its last round
    }
  }

  /**
   * Ends leases that nobody fetches anew.
   *
   * @return whether there are any left to look after
   */
  boolean round() {
    long nowNanos = ticker.nanoTime();
    for (Leasehold leasehold : held) {
      if (leasehold.isEnding(nowNanos)) {
        end(leasehold, Deadline.within(ENDING));
      }
      if (!leasehold.isHeld()) {
        forget(leasehold);
      }
    }
    return !held.isEmpty();
  }

  /** Unless it holds something again by then. */
  private void forget(Leasehold leasehold) {
    held.remove(leasehold);
    if (leasehold.isHeld()) {
      held.add(leasehold);
    }
  }

  /** Unless the next one is being fetched. What cannot be given back is lost. */
  private void end(Leasehold leasehold, Deadline deadline) {
    if (!leasehold.enter()) {
      return;
    }
    try {
      LeaseSettlement settled = leasehold.end(ticker.nanoTime());
      if (settled.back() > 0) {
        Amendment end = new Amendment.EndLease(leasehold.counter(), settled);
        store.amend(end, deadline.begun());
      }
    } catch (StoreUnavailableException lost) {
      // it only under-admits, and must not be told twice
    } finally {
      leasehold.leave();
    }
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
      @Nullable Leasehold leasehold = counters.getIfPresent(CounterKey.of(amendment.counter()));
      if (leasehold != null) {
        leasehold.revoke();
        forgo(leasehold, amendment, due);
      }
    }
  }

  /**
   * What is leased of a window that was reset would be given back to the one that follows, whose
   * permits others have taken.
   */
  private void forgo(Leasehold leasehold, Amendment.OfCounter amendment, Deadline due) {
    if (!(amendment instanceof Amendment.Reset)
        || !(leasehold.counter().limit() instanceof FixedWindow)) {
      end(leasehold, due);
    } else if (leasehold.enter()) {
      leasehold.lose(ticker.nanoTime());
      leasehold.leave();
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
    Deadline due = Deadline.after(CLOSING);
    held.forEach(leasehold -> end(leasehold, due));
    store.close();
  }
}
