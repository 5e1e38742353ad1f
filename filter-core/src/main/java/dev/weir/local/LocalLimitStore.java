package dev.weir.local;

import dev.weir.AcquireRequest;
import dev.weir.Adjustment;
import dev.weir.Counter;
import dev.weir.Deadline;
import dev.weir.Decision;
import dev.weir.FailoverLimitStore.Fallback;
import dev.weir.StoreUnavailableException;
import dev.weir.internal.CounterKeys.CounterKey;
import dev.weir.internal.NodeShare;
import dev.weir.local.Shards.Now;
import java.util.Objects;

/**
 * Limits in this process alone. It is the fallback of a shared store, or the only store.
 *
 * <p><b>Share.</b> If N nodes divide a limit, this one has the rate r/N and a burst of ⌈B/N⌉. A
 * quota or a number of concurrent permits is ⌊L/N⌋. Each is at least the most expensive cost and at
 * least 1. Consumption carries over when N changes. A request above the share but within the limit
 * is denied until the shared store is next tried.
 *
 * <p><b>Memory.</b> A counter that is full again is not kept, and no other is ever evicted. The cap
 * is divided evenly among the limits. When a limit has used its part, its new subjects share one
 * counter. A flood of made-up subjects therefore does not fill the memory, does not free a limited
 * subject, and takes no capacity from other limits.
 *
 * <p><b>Time.</b> The clock runs from the start. It pauses from {@link #suspend} to {@link
 * #resume}, and so do all buckets and windows except calendar windows. A client that makes the
 * shared store flap therefore gains nothing. A counter that would have become full in that gap is
 * forgotten, since a new outage follows. The time to live of concurrency permits does not pause,
 * and no such permit is forgotten.
 *
 * <p>It has no thread, blocks for nothing but its locks, and is thread-safe. Decisions are
 * linearizable. Closing it forgets everything.
 */
public final class LocalLimitStore implements Fallback {

  private final NodeShare nodeShare;
  private final NodeLimits nodeLimits;
  private final Shards shards;
  private final Adjustments adjustments;

  public LocalLimitStore(LocalOptions options) {
    Objects.requireNonNull(options, "options");
    this.nodeShare = options.nodeShare();
    this.nodeLimits = new NodeLimits(nodeShare, options.dearestCost());
    this.shards = new Shards(options);
    this.adjustments = new Adjustments(shards, nodeLimits);
  }

  @Override
  public Decision decide(AcquireRequest request) throws StoreUnavailableException {
    return request.charges().size() == 1
        ? decideOne(request)
        : decideAll(request, shards.keysOf(request.charges()));
  }

  /** Decides over one counter without lists, since its entry usually exists. */
  private Decision decideOne(AcquireRequest request) throws StoreUnavailableException {
    Counter counter = request.charges().get(0).counter();
    CounterKey key = shards.keyOf(counter);
    Shard shard = shards.of(key);
    int nodes = nodeLimits.nodes();
    shard.lock();
    try {
      Now now = shards.now();
      shard.sweep(now);
      Entry entry = shard.find(key, now);
      if (entry != null) {
        entry.bringUpToDate(counter, nodeLimits, nodes, now);
        return new Evaluation(request, null, new Entry[] {entry}, now, nodeShare).decide();
      }
    } finally {
      shard.unlock();
    }
    return decideAll(request, key);
  }

  private Decision decideAll(AcquireRequest request, CounterKey... keys)
      throws StoreUnavailableException {
    Entries entries = new Entries(request.charges(), keys, shards, nodeLimits);
    entries.lock();
    try {
      Now now = shards.now();
      return new Evaluation(request, keys, entries.find(now), now, nodeShare).decide();
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
  public boolean adjust(Adjustment adjustment, Deadline deadline) throws StoreUnavailableException {
    return adjustments.make(adjustment);
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

  @Override
  public void close() {
    shards.close();
  }
}
