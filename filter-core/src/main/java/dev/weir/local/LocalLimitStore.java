package dev.weir.local;

import dev.weir.Amendment;
import dev.weir.Ask;
import dev.weir.Deadline;
import dev.weir.Decision;
import dev.weir.Fallback;
import dev.weir.NodeShare;
import dev.weir.Receipt;
import dev.weir.Source;
import dev.weir.StoreUnavailableException;
import java.time.Duration;
import java.util.Objects;

/**
 * Limits in this process alone, as the fallback of a shared store or, where there is none, as the
 * store.
 *
 * <p><b>Share.</b> Of a limit that N nodes divide, this one has the rate r/N, a burst of ⌈B/N⌉, a
 * quota of ⌊L/N⌋; each at least the dearest cost and at least 1. What was consumed carries over
 * when N changes. A request above the share but within the limit is denied until the shared store
 * is next tried.
 *
 * <p><b>Memory.</b> A counter that is full again is not kept, and no other is ever evicted. At the
 * cap, subjects that come new share one counter per limit. So a flood of made-up subjects neither
 * fills the memory nor frees one that is held back.
 *
 * <p><b>Time.</b> The clock runs from the start. It stands from {@link #standBy} to {@link
 * #takeOver}, and with it all buckets and windows but those of a calendar: whoever makes the shared
 * store flap gains nothing. A counter whose limit would have become as good as new in that gap is
 * forgotten, since what follows is a new outage.
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
    this.shards = new Shards(options.maxCounters());
    this.clock = new OutageClock(options.ticker(), options.calendar());
  }

  @Override
  public Decision decide(Ask ask) throws StoreUnavailableException {
    Hearing hearing = new Hearing(ask, shards, counterKeys, nodeShare, nodeShares);
    hearing.lock();
    try {
      requireOpen();
      return hearing.decide(clock.now());
    } finally {
      hearing.unlock();
    }
  }

  /**
   * {@inheritDoc}
   *
   * <p>What was granted out of the counter that subjects without one of their own share, is not
   * given back.
   *
   * @throws IllegalArgumentException when another store has granted
   */
  @Override
  public void amend(Amendment amendment, Deadline deadline) throws StoreUnavailableException {
    if (amendment instanceof Amendment.GiveBack giveBack) {
      Source maker = giveBack.receipt().source();
      if (maker != Source.LOCAL) {
        throw new IllegalArgumentException("receipt: of " + maker + " (expected: of LOCAL)");
      }
      for (Receipt.Grant grant : giveBack.receipt().grants()) {
        giveBack(grant);
      }
    }
  }

  private void giveBack(Receipt.Grant grant) throws StoreUnavailableException {
    CounterKey key =
        counterKeys.of(grant.charge().counter().name(), grant.charge().counter().subject());
    Shard shard = shards.at(shards.indexOf(key));
    shard.lock();
    try {
      requireOpen();
      Entry entry = shard.find(key);
      if (entry != null) {
        entry.slot().age(clock.now());
        entry.slot().giveBack(grant.charge().permits(), grant.stamp());
      }
    } finally {
      shard.unlock();
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
   * How many counters are held at the moment, the shared ones included: at most the cap, and one
   * more for each limit.
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
