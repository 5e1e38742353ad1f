package dev.weir.local;

import dev.weir.Amendment;
import dev.weir.Ask;
import dev.weir.Charge;
import dev.weir.Counter;
import dev.weir.Deadline;
import dev.weir.Decision;
import dev.weir.Fallback;
import dev.weir.NodeShare;
import dev.weir.Receipt;
import dev.weir.Source;
import dev.weir.StoreUnavailableException;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.BiConsumer;

/**
 * Limits in this process alone, as the fallback of a shared store or, where there is none, as the
 * store.
 *
 * <p><b>Share.</b> Of a limit that N nodes divide, this one has the rate r/N, a burst of ⌈B/N⌉, a
 * quota of ⌊L/N⌋, and of what may be held at once as much; each at least the dearest cost and at
 * least 1. What was consumed carries over when N changes. A request above the share but within the
 * limit is denied until the shared store is next tried.
 *
 * <p><b>Memory.</b> A counter that is full again is not kept, and no other is ever evicted. The cap
 * is divided evenly among the limits: at its part, subjects that come new to a limit share one
 * counter of it. So a flood of made-up subjects neither fills the memory, nor frees one that is
 * held back, nor takes room from other limits.
 *
 * <p><b>Time.</b> The clock runs from the start. It stands from {@link #standBy} to {@link
 * #takeOver}, and with it all buckets and windows but those of a calendar: whoever makes the shared
 * store flap gains nothing. A counter whose limit would have become as good as new in that gap is
 * forgotten, since what follows is a new outage. Leases do not stand, and no hold is forgotten.
 *
 * <p>It has no thread, blocks for nothing but its locks, and is thread-safe: decisions are
 * linearizable. Closing it forgets everything.
 */
public final class LocalLimitStore implements Fallback {

  private final NodeShare nodeShare;
  private final Shares nodeShares;
  private final Shards shards;
  private final OutageClock clock;
  private final CounterKeys counterKeys = new CounterKeys();
  private volatile boolean closed;

  public LocalLimitStore(LocalOptions options) {
    Objects.requireNonNull(options, "options");
    this.nodeShare = options.share();
    this.nodeShares = new Shares(options.dearestCost());
    this.shards = new Shards(options.maxCounters(), options.limits());
    this.clock = new OutageClock(options.ticker(), options.calendar());
  }

  @Override
  public Decision decide(Ask ask) throws StoreUnavailableException {
    return ask.charges().size() == 1 ? decideOne(ask) : decideAll(ask, keys(ask.charges()));
  }

  /** Over one counter, which is mostly there: without lists. */
  private Decision decideOne(Ask ask) throws StoreUnavailableException {
    Counter counter = ask.charges().get(0).counter();
    CounterKey key = counterKeys.of(counter);
    Shard shard = shards.at(shards.indexOf(key));
    int nodes = nodes();
    shard.lock();
    try {
      requireOpen();
      Moment now = clock.now();
      shard.sweep(now);
      Entry entry = shard.find(key, now);
      if (entry != null) {
        entry.bringUpToDate(counter, nodeShares, nodes, now);
        return new Hearing(ask, new Entry[] {entry}, now, nodeShare).decide();
      }
    } finally {
      shard.unlock();
    }
    return decideAll(ask, key);
  }

  private Decision decideAll(Ask ask, CounterKey... keys) throws StoreUnavailableException {
    Entries entries = entries(counters(ask.charges()), keys);
    entries.lock();
    try {
      requireOpen();
      Moment now = clock.now();
      return new Hearing(ask, entries.find(now), now, nodeShare).decide();
    } finally {
      entries.unlock();
    }
  }

  private static Counter[] counters(List<Charge> charges) {
    Counter[] counters = new Counter[charges.size()];
    for (int i = 0; i < counters.length; i++) {
      counters[i] = charges.get(i).counter();
    }
    return counters;
  }

  private CounterKey[] keys(List<Charge> charges) {
    CounterKey[] keys = new CounterKey[charges.size()];
    for (int i = 0; i < keys.length; i++) {
      keys[i] = counterKeys.of(charges.get(i).counter());
    }
    return keys;
  }

  private Entries entries(Counter[] counters, CounterKey... keys) {
    return new Entries(counters, keys, shards, counterKeys, nodeShares, nodes());
  }

  private int nodes() {
    return Math.max(1, nodeShare.nodes());
  }

  /**
   * {@inheritDoc}
   *
   * <p>What the counter did that subjects without one of their own share, is not given back,
   * rewarded or forgotten, but for what is held; and none of them is blocked, which throws.
   *
   * @throws IllegalArgumentException when another store has granted
   */
  @Override
  public boolean amend(Amendment amendment, Deadline deadline) throws StoreUnavailableException {
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
    return giveBack(grant);
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

  private boolean giveBack(Receipt.Grant grant) throws StoreUnavailableException {
    Charge charge = grant.charge();
    BiConsumer<Entry, Moment> giveBack =
        (entry, now) -> entry.slot().giveBack(charge.permits(), grant.stamp(), charge.permits());
    change(charge.counter(), giveBack);
    if (grant.isHeld()) {
      changeOverflow(charge.counter(), giveBack);
    }
    return true;
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
      requireOpen();
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

  /** A change that a counter is opened for, if there is room; it is not its own otherwise. */
  private interface Opening {
    void change(Entry entry, boolean isOwn, Moment now) throws StoreUnavailableException;
  }

  private void open(Counter counter, Opening opening) throws StoreUnavailableException {
    Entries entries = entries(new Counter[] {counter}, counterKeys.of(counter));
    entries.lock();
    try {
      requireOpen();
      Moment now = clock.now();
      Entry entry = entries.find(now)[0];
      opening.change(entry, entries.isOwn(entry, 0), now);
    } finally {
      entries.unlock();
    }
  }

  private void requireOpen() throws StoreUnavailableException {
    if (closed) {
      throw new StoreUnavailableException("the local store is closed", Duration.ZERO, null);
    }
  }

  @Override
  public void takeOver() {
    shards.whileAllStand(
        () -> {
          if (!clock.isRunning()) {
            long gapNanos = clock.start();
            shards.forEach(shard -> shard.hearOfGap(gapNanos));
          }
        });
  }

  @Override
  public void standBy() {
    shards.whileAllStand(
        () -> {
          if (clock.isRunning()) {
            clock.stop();
          }
        });
  }

  /**
   * How many counters are held at the moment, the shared ones included: at most the cap, and the
   * shared one of each limit. Of k limits that were not {@linkplain LocalOptions#limits announced},
   * it may be 1 + 1/2 + … + 1/k times the cap.
   */
  public long size() {
    return shards.size();
  }

  @Override
  public void close() {
    shards.whileAllStand(
        () -> {
          closed = true;
          shards.forEach(Shard::clear);
        });
  }
}
