package dev.weir.local;

import dev.weir.Amendment;
import dev.weir.Ask;
import dev.weir.Charge;
import dev.weir.Counter;
import dev.weir.Deadline;
import dev.weir.Decision;
import dev.weir.Fallback;
import dev.weir.NodeShare;
import dev.weir.StoreUnavailableException;
import dev.weir.internal.CounterKey;
import dev.weir.internal.CounterKeys;
import java.util.List;
import java.util.Objects;

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
  private final Amendments amendments;

  public LocalLimitStore(LocalOptions options) {
    Objects.requireNonNull(options, "options");
    this.nodeShare = options.share();
    this.nodeShares = new Shares(options.dearestCost());
    this.shards = new Shards(options.maxCounters(), options.limits());
    this.clock = new OutageClock(options.ticker(), options.calendar());
    this.amendments =
        new Amendments(
            shards,
            counterKeys,
            clock,
            counter -> entries(new Counter[] {counter}, counterKeys.of(counter)));
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
      shards.requireOpen();
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
      shards.requireOpen();
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
   * <p>While a subject shares its limit's counter for want of room, holds are released and renewed
   * there, and what is overspent is owed there. Other give-backs, rewards and resets have no
   * effect: they would change what is others' too. A {@link Amendment.Block} throws {@link
   * StoreUnavailableException}, for there is no entry of the subject's own to block.
   *
   * @throws IllegalArgumentException when another store has granted
   */
  @Override
  public boolean amend(Amendment amendment, Deadline deadline) throws StoreUnavailableException {
    return amendments.make(amendment);
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
    shards.close();
  }
}
