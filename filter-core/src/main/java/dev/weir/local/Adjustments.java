package dev.weir.local;

import dev.weir.Adjustment;
import dev.weir.Charge;
import dev.weir.Counter;
import dev.weir.Receipt;
import dev.weir.Source;
import dev.weir.StoreUnavailableException;
import dev.weir.internal.CounterKeys.CounterKey;
import dev.weir.local.Shards.Now;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * Makes adjustments to entries, under their shards' locks. Only a debt or a block opens an entry. A
 * counter without an entry is full, so there is nothing to refund.
 *
 * <p>The overflow's entries do not record which subject took which permits, except for concurrency
 * permits. They are debited, but nothing else is refunded there. A block fails there, because it
 * would block every subject.
 */
final class Adjustments {

  private final Shards shards;
  private final NodeLimits nodeLimits;

  /** A change to an entry that is aged to now. Made under its lock. */
  private interface Change {
    void make(Entry entry, Now now) throws StoreUnavailableException;
  }

  Adjustments(Shards shards, NodeLimits nodeLimits) {
    this.shards = shards;
    this.nodeLimits = nodeLimits;
  }

  /**
   * Makes the adjustment. Returns false only for a renewal of permits that have expired.
   *
   * @throws IllegalArgumentException when the permits were acquired from another store
   */
  boolean make(Adjustment adjustment) throws StoreUnavailableException {
    if (adjustment instanceof Adjustment.OfReceipt ofReceipt) {
      return adjustGranted(ofReceipt);
    }
    if (adjustment instanceof Adjustment.Reset reset) {
      change(reset.counter(), Entry::reset);
    } else if (adjustment instanceof Adjustment.Reward reward) {
      change(reward.counter(), (entry, now) -> entry.state().reward(reward.permits()));
    } else if (adjustment instanceof Adjustment.Block block) {
      block(block.counter(), block.duration().toNanos());
    }
    // an EndLease has no effect: this store grants no leases
    return true;
  }

  private boolean adjustGranted(Adjustment.OfReceipt adjustment) throws StoreUnavailableException {
    Receipt receipt = adjustment.receipt();
    if (receipt.source() != Source.LOCAL) {
      throw new IllegalArgumentException(
          "receipt: of " + receipt.source() + " (expected: of LOCAL)");
    }
    boolean made = true;
    for (Receipt.Grant grant : receipt.grants()) {
      made &= adjustGranted(adjustment, grant);
    }
    return made;
  }

  private boolean adjustGranted(Adjustment.OfReceipt adjustment, Receipt.Grant grant)
      throws StoreUnavailableException {
    if (adjustment instanceof Adjustment.Renew) {
      return renew(grant);
    }
    if (adjustment instanceof Adjustment.Reconcile reconcile) {
      reconcile(grant, reconcile.spent());
    } else {
      refund(grant);
    }
    return true;
  }

  private void reconcile(Receipt.Grant grant, long spent) throws StoreUnavailableException {
    Counter counter = grant.charge().counter();
    long granted = grant.charge().permits();
    long unspent = granted - spent;
    if (unspent > 0) {
      change(counter, (entry, now) -> entry.state().refund(unspent, grant.stamp(), granted));
    } else if (unspent < 0) {
      open(counter, (entry, now) -> entry.state().debit(-unspent, now));
    }
  }

  private void refund(Receipt.Grant grant) throws StoreUnavailableException {
    Charge charge = grant.charge();
    Change refund =
        (entry, now) -> entry.state().refund(charge.permits(), grant.stamp(), charge.permits());
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
        (entry, now) -> {
          if (entry.state().renew(grant, now)) {
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
        (entry, now) -> {
          if (shards.isOverflow(entry)) {
            throw new StoreUnavailableException(
                "the local store is full: no room for the counter to block", Duration.ZERO, null);
          }
          entry.block(nanos, now);
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
      Now now = shards.now();
      Entry entry = shard.find(key, now);
      if (entry != null) {
        entry.state().age(now);
        change.make(entry, now);
        shard.queueEarlier(entry, now);
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
    Entries entries = new Entries(one, shards.keysOf(one), shards, nodeLimits);
    entries.lock();
    try {
      Now now = shards.now();
      change.make(entries.find(now)[0], now);
    } finally {
      entries.unlock();
    }
  }
}
