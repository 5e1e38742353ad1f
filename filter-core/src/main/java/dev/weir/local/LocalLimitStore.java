package dev.weir.local;

import dev.weir.internal.store.CounterKeys.CounterKey;
import dev.weir.store.AcquireRequest;
import dev.weir.store.AcquireRequest.Charge;
import dev.weir.store.Adjustment;
import dev.weir.store.Counter;
import dev.weir.store.Deadline;
import dev.weir.store.Decision;
import dev.weir.store.Decision.Receipt;
import dev.weir.store.LimitStore.Fallback;
import dev.weir.store.Source;
import dev.weir.store.StoreUnavailableException;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.IntSupplier;

/**
 * Limits in this process alone. It is the fallback of a shared store, or the only store.
 * Thread-safe. It has no thread, and to close it only forgets everything. It decides nothing after
 * that.
 *
 * <pre>{@code
 * try (LocalLimitStore store = LocalLimitStore.of()) {
 *   TokenLimiter calls = TokenLimiter.of("calls", "5 per minute", store);
 *   System.out.println(calls.tryAcquire("user-42").allowed());
 * }
 * }</pre>
 *
 * <p><b>Share.</b> If N nodes divide a limit, this one has the rate r/N and a burst of ⌈B/N⌉. A
 * quota or a number of concurrent permits is ⌊L/N⌋, and each is at least 1. A request that costs
 * more than the share, and no more than the limit, passes when the whole share is free. The rest of
 * its cost is a debt that later requests owe. Consumption and debts carry over when N changes.
 *
 * <p><b>Memory.</b> A counter that is full again is not kept, and no other is ever evicted. The cap
 * is divided evenly among the limits. When a limit has used its part, its new subjects share one
 * counter. A flood of made-up subjects therefore does not fill the memory, does not free a limited
 * subject, and takes no capacity from other limits. When a limit starts to share, a warning is
 * logged, at most one a minute for each limit. {@link #overflowed} counts.
 *
 * <p><b>Time.</b> The clock runs from the start. It pauses from {@link #suspend} to {@link
 * #resume}, and so do all buckets and windows except calendar windows. A client that makes the
 * shared store flap therefore gains nothing. A counter that would have become full in that gap is
 * forgotten, since a new outage follows. A debt is never forgotten, however long the gap. The time
 * to live of concurrency permits does not pause, and no such permit is forgotten.
 *
 * <p>It blocks for nothing but its locks. Decisions are linearizable.
 */
public final class LocalLimitStore implements Fallback {

  private final IntSupplier nodes;
  private final NodeLimits nodeLimits;
  private final Shards shards;

  /** A change to an entry that is aged to now, under its lock. Only a debt or a block opens one. */
  private interface Change {
    void make(Entry entry) throws StoreUnavailableException;
  }

  private LocalLimitStore(LocalOptions options) {
    this.nodes = options.nodes();
    this.nodeLimits = new NodeLimits(options.calendar());
    this.shards = new Shards(options);
  }

  /** Returns a store of a single node, which has all of each limit. */
  public static LocalLimitStore of() {
    return of(LocalOptions.of());
  }

  /** Returns a store with these options. */
  public static LocalLimitStore of(LocalOptions options) {
    return new LocalLimitStore(Objects.requireNonNull(options, "options"));
  }

  @Override
  public Decision decide(AcquireRequest request) throws StoreUnavailableException {
    List<Charge> charges = request.charges();
    return charges.size() == 1
        ? decideOne(charges.get(0), request)
        : decideAll(request, shards.keysOf(charges));
  }

  /** Decides over one counter without lists, since its entry usually exists. */
  private Decision decideOne(Charge charge, AcquireRequest request)
      throws StoreUnavailableException {
    Counter counter = charge.counter();
    CounterKey key = shards.keyOf(counter);
    Shard shard = shards.of(key);
    int nodes = nodes();
    shard.lock();
    try {
      long tickNanos = shards.now();
      long nanos = shards.nanos(tickNanos);
      shard.sweep(nanos, tickNanos);
      Entry entry = shard.find(key, nanos, tickNanos);
      if (entry != null) {
        entry.bringUpToDate(counter, nodeLimits, nodes, nanos, tickNanos);
        return entry.decide(charge, request.mode(), entry.key());
      }
    } finally {
      shard.unlock();
    }
    return decideAll(request, key);
  }

  /** Decides over several counters, or over one that has no entry yet. */
  private Decision decideAll(AcquireRequest request, CounterKey... keys)
      throws StoreUnavailableException {
    Entries entries = new Entries(request.charges(), keys, shards, nodeLimits, nodes());
    entries.lock();
    try {
      Entry[] found = entries.find();
      return found.length == 1
          ? found[0].decide(request.charges().get(0), request.mode(), keys[0])
          : new Evaluation(request, keys, found).decide();
    } finally {
      entries.unlock();
    }
  }

  /**
   * {@inheritDoc}
   *
   * <p>A subject may share its limit's counter because capacity is exhausted. Meanwhile,
   * concurrency permits are released and renewed there, and overspent permits are debited there.
   * Other refunds, rewards and resets have no effect, because they would also change the permits of
   * other subjects. A {@link Adjustment.Block} throws {@link StoreUnavailableException}, because
   * the subject has no entry of its own to block.
   *
   * @throws IllegalArgumentException when the permits were acquired from another store
   */
  @Override
  public Set<Receipt.Grant> adjust(Adjustment adjustment, Deadline deadline)
      throws StoreUnavailableException {
    if (adjustment instanceof Adjustment.OfReceipt ofReceipt) {
      return adjustGranted(ofReceipt);
    }
    if (adjustment instanceof Adjustment.Reset reset) {
      change(reset.counter(), Entry::reset);
    } else if (adjustment instanceof Adjustment.Reward reward) {
      change(reward.counter(), entry -> entry.state().reward(reward.permits()));
    } else if (adjustment instanceof Adjustment.Block block) {
      block(block.counter(), block.duration().toNanos());
    }
    return Set.of();
  }

  private Set<Receipt.Grant> adjustGranted(Adjustment.OfReceipt adjustment)
      throws StoreUnavailableException {
    Receipt receipt = adjustment.receipt();
    if (receipt.source() != Source.LOCAL) {
      throw new IllegalArgumentException(
          "receipt: of " + receipt.source() + " (expected: of LOCAL)");
    }
    Set<Receipt.Grant> ended = new HashSet<>();
    for (Receipt.Grant grant : receipt.grants()) {
      if (adjustment instanceof Adjustment.Reconcile reconcile) {
        reconcile(grant, reconcile.spent());
      } else if (adjustment instanceof Adjustment.Refund) {
        refund(grant);
      } else if (!renew(grant)) {
        ended.add(grant);
      }
    }
    return ended;
  }

  private void reconcile(Receipt.Grant grant, long spent) throws StoreUnavailableException {
    Counter counter = grant.charge().counter();
    long granted = grant.charge().permits();
    long unspent = granted - spent;
    if (unspent > 0) {
      change(counter, entry -> entry.state().refund(unspent, grant.stamp(), granted));
    } else if (unspent < 0) {
      open(counter, entry -> entry.state().debit(-unspent));
    }
  }

  private void refund(Receipt.Grant grant) throws StoreUnavailableException {
    Charge charge = grant.charge();
    Change refund =
        entry -> entry.state().refund(charge.permits(), grant.stamp(), charge.permits());
    change(charge.counter(), refund);
    if (grant.isHeld()) {
      changeOverflow(charge.counter(), refund);
    }
  }

  /**
   * Renews in both entries. A new counter starts with the subject's permits of the overflow, so
   * both may have them.
   */
  private boolean renew(Receipt.Grant grant) throws StoreUnavailableException {
    AtomicBoolean renewed = new AtomicBoolean();
    Change renew =
        entry -> {
          if (entry.state().renew(grant)) {
            renewed.set(true);
          }
        };
    change(grant.charge().counter(), renew);
    changeOverflow(grant.charge().counter(), renew);
    return renewed.get();
  }

  private void block(Counter counter, long nanos) throws StoreUnavailableException {
    open(
        counter,
        entry -> {
          if (entry.key().equals(shards.overflowKey(entry.limit()))) {
            throw new StoreUnavailableException(
                "the local store is full: no room for the counter to block", Duration.ZERO, null);
          }
          entry.block(nanos);
        });
  }

  /** Changes the counter's entry. Without an entry, there is nothing to change. */
  private void change(Counter counter, Change change) throws StoreUnavailableException {
    CounterKey key = shards.keyOf(counter);
    change(key, shards.of(key), change);
  }

  private void changeOverflow(Counter counter, Change change) throws StoreUnavailableException {
    if (shards.overflow().size() > 0) {
      change(shards.overflowKey(counter.name()), shards.overflow(), change);
    }
  }

  private void change(CounterKey key, Shard shard, Change change) throws StoreUnavailableException {
    shard.lock();
    try {
      long tickNanos = shards.now();
      long nanos = shards.nanos(tickNanos);
      Entry entry = shard.find(key, nanos, tickNanos);
      if (entry != null) {
        entry.state().age(nanos, tickNanos);
        change.make(entry);
        shard.queueEarlier(entry);
      }
    } finally {
      shard.unlock();
    }
  }

  /**
   * Changes the counter's entry, and opens one where there is none. If the limit has no capacity
   * for a new counter, the entry is the overflow's.
   */
  private void open(Counter counter, Change change) throws StoreUnavailableException {
    List<Charge> one = List.of(new Charge(counter, 1));
    Entries entries = new Entries(one, shards.keysOf(one), shards, nodeLimits, nodes());
    entries.lock();
    try {
      change.make(entries.find()[0]);
    } finally {
      entries.unlock();
    }
  }

  @Override
  public void resume() {
    shards.resume();
  }

  @Override
  public void suspend() {
    shards.suspend();
  }

  /**
   * Returns how many counters are held now, including shared ones. It is at most the cap plus the
   * shared counter of each limit, with three exceptions. First, k limits may hold 1 + 1/2 + … + 1/k
   * times the cap if they were not {@linkplain LocalOptions#limits announced}, or announced only
   * after others had used their parts. Second, counters beyond a cap that has decreased stay until
   * they are full. Third, the store has 16 segments if the cap was at least 4,096 at its start, and
   * otherwise one. Each limit may hold one counter in each segment, however small the cap becomes.
   */
  public long size() {
    return shards.size();
  }

  /**
   * Returns how often since the start a shared counter was used, because its limit had used its
   * part of the cap. Limits whose shared counter was never used have no entry. After 1,000 limits,
   * which only code can have, the uses of further ones are counted together, as {@code others}.
   */
  public Map<String, Long> overflowed() {
    return shards.overflowed.counts();
  }

  /** Returns how many nodes share each limit at present, at least 1. */
  public int nodes() {
    return Math.max(1, nodes.getAsInt());
  }

  @Override
  public void close() {
    shards.close();
  }
}
