package dev.weir.local;

import dev.weir.Amendment;
import dev.weir.Charge;
import dev.weir.Counter;
import dev.weir.Receipt;
import dev.weir.Source;
import dev.weir.StoreUnavailableException;
import dev.weir.internal.CounterKey;
import dev.weir.internal.CounterKeys;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.BiConsumer;
import java.util.function.Function;

/**
 * Makes amendments to entries, under their shards' locks. Only a debt or a block opens one: a
 * counter without is as good as new, and there is nothing to give back to it.
 *
 * <p>Of the overflow's entries, nobody knows who took what. So debts are owed there, but nothing is
 * given back except holds, which have ids of their own; and a block is refused, for it would be
 * everybody's.
 */
final class Amendments {

  private final Shards shards;
  private final CounterKeys counterKeys;
  private final OutageClock clock;
  private final Function<Counter, Entries> entriesOf;

  /**
   * @param entriesOf one counter, not yet locked, as the store opens them to decide
   */
  Amendments(
      Shards shards,
      CounterKeys counterKeys,
      OutageClock clock,
      Function<Counter, Entries> entriesOf) {
    this.shards = shards;
    this.counterKeys = counterKeys;
    this.clock = clock;
    this.entriesOf = entriesOf;
  }

  /**
   * Returns whether it was made: false only for a renewal of what has ended.
   *
   * @throws IllegalArgumentException when another store has granted
   */
  boolean make(Amendment amendment) throws StoreUnavailableException {
    if (amendment instanceof Amendment.OfReceipt ofReceipt) {
      return amendGranted(ofReceipt);
    }
    if (amendment instanceof Amendment.Reset reset) {
      change(reset.counter(), Entry::reset);
    } else if (amendment instanceof Amendment.Reward reward) {
      change(reward.counter(), (entry, now) -> entry.slot().reward(reward.permits()));
    } else if (amendment instanceof Amendment.Block block) {
      block(block.counter(), block.duration().toNanos());
    }
    // for an EndLease there is nothing to do: this store lends nothing
    return true;
  }

  private boolean amendGranted(Amendment.OfReceipt amendment) throws StoreUnavailableException {
    Receipt receipt = amendment.receipt();
    if (receipt.source() != Source.LOCAL) {
      throw new IllegalArgumentException(
          "receipt: of " + receipt.source() + " (expected: of LOCAL)");
    }
    boolean made = true;
    for (Receipt.Grant grant : receipt.grants()) {
      made &= amendGranted(amendment, grant);
    }
    return made;
  }

  private boolean amendGranted(Amendment.OfReceipt amendment, Receipt.Grant grant)
      throws StoreUnavailableException {
    if (amendment instanceof Amendment.Renew) {
      return renew(grant);
    }
    if (amendment instanceof Amendment.Settle settle) {
      settle(grant, settle.spent());
      return true;
    }
    giveBack(grant);
    return true;
  }

  private void settle(Receipt.Grant grant, long spent) throws StoreUnavailableException {
    Counter counter = grant.charge().counter();
    long granted = grant.charge().permits();
    long unspent = granted - spent;
    if (unspent > 0) {
      change(counter, (entry, now) -> entry.slot().giveBack(unspent, grant.stamp(), granted));
    } else if (unspent < 0) {
      open(counter, (entry, isOwn, now) -> entry.owe(-unspent, now));
    }
  }

  private void giveBack(Receipt.Grant grant) throws StoreUnavailableException {
    Charge charge = grant.charge();
    BiConsumer<Entry, Moment> giveBack =
        (entry, now) -> entry.slot().giveBack(charge.permits(), grant.stamp(), charge.permits());
    change(charge.counter(), giveBack);
    if (grant.isHeld()) {
      changeOverflow(charge.counter(), giveBack);
    }
  }

  /** A newcomer's counter begins as a copy of the overflow's, so the hold may be in both. */
  private boolean renew(Receipt.Grant grant) throws StoreUnavailableException {
    AtomicBoolean renewed = new AtomicBoolean();
    BiConsumer<Entry, Moment> renew =
        (entry, now) -> {
          if (entry.slot().renew(grant, now)) {
            renewed.set(true);
          }
        };
    change(grant.charge().counter(), renew);
    changeOverflow(grant.charge().counter(), renew);
    return renewed.get();
  }

  /** Of a counter that has no entry, there is nothing to change. */
  private void change(Counter counter, BiConsumer<Entry, Moment> change)
      throws StoreUnavailableException {
    CounterKey key = counterKeys.of(counter);
    change(key, shards.at(shards.indexOf(key)), change);
  }

  private void changeOverflow(Counter counter, BiConsumer<Entry, Moment> change)
      throws StoreUnavailableException {
    if (shards.overflow().size() > 0) {
      change(counterKeys.ofOverflow(counter.name()), shards.overflow(), change);
    }
  }

  private void change(CounterKey key, Shard shard, BiConsumer<Entry, Moment> change)
      throws StoreUnavailableException {
    shard.lock();
    try {
      shards.requireOpen();
      Moment now = clock.now();
      Entry entry = shard.find(key, now);
      if (entry != null) {
        entry.age(now);
        change.accept(entry, now);
      }
    } finally {
      shard.unlock();
    }
  }

  private void block(Counter counter, long nanos) throws StoreUnavailableException {
    open(
        counter,
        (entry, isOwn, now) -> {
          if (!isOwn) {
            throw new StoreUnavailableException(
                "the local store is full: no room for the counter to block", Duration.ZERO, null);
          }
          entry.block(nanos, now);
        });
  }

  /**
   * A change that opens an entry where there is none. That is not the counter's own where its limit
   * has no room: it is the overflow's.
   */
  private interface Opening {
    void change(Entry entry, boolean isOwn, Moment now) throws StoreUnavailableException;
  }

  private void open(Counter counter, Opening opening) throws StoreUnavailableException {
    Entries entries = entriesOf.apply(counter);
    entries.lock();
    try {
      shards.requireOpen();
      Moment now = clock.now();
      Entry entry = entries.find(now)[0];
      opening.change(entry, entries.isOwn(entry, 0), now);
    } finally {
      entries.unlock();
    }
  }
}
