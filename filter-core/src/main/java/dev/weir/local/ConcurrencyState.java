package dev.weir.local;

import dev.weir.internal.store.CounterKeys.CounterKey;
import dev.weir.limit.Concurrency;
import dev.weir.limit.Limit;
import dev.weir.store.Decision.Receipt;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * A concurrency limit: the same time to live on each node, with fewer permits. It knows how many
 * permits each holder has, and when they expire.
 *
 * <p>The time to live uses the clock that never pauses, because holders continue while another
 * store decides.
 */
final class ConcurrencyState extends CounterState {

  /** Ids of all states, so that a reopened state never confuses its permits with earlier ones. */
  private static final AtomicLong IDS = new AtomicLong();

  private final Map<Long, Holder> holders = new LinkedHashMap<>();

  private long held;

  /** Its key is that of the counter requested, which may share this state; null if unknown. */
  private record Holder(long permits, long endTickNanos, @Nullable CounterKey key) {}

  private ConcurrencyState(NodeLimit share) {
    super(share);
  }

  static ConcurrencyState of(Concurrency limit, int nodes) {
    return new ConcurrencyState(NodeLimit.of(limit, nodes, limit.permits() / nodes));
  }

  /** Never forgets after an outage. Permits expire by themselves, whichever store decides. */
  @Override
  long forgottenAfterNanos() {
    return Long.MAX_VALUE;
  }

  @Override
  ConcurrencyState unused() {
    return new ConcurrencyState(share());
  }

  /** Keeps all permits that are held. */
  @Override
  void carryOver(CounterState next) {
    if (next instanceof ConcurrencyState other) {
      other.holders.putAll(holders);
      other.held = held;
    } else if (held > 0) {
      next.take(held);
    }
  }

  /**
   * Copies only what the subject holds. It would never learn when others release what they hold.
   */
  @Override
  ConcurrencyState copyFor(CounterKey key) {
    ConcurrencyState copy = (ConcurrencyState) copy();
    copy.removeIf(holder -> holder.key != null && !holder.key.equals(key));
    return copy;
  }

  @Override
  void age() {
    removeIf(holder -> holder.endTickNanos <= tickNanos());
  }

  private void removeIf(Predicate<Holder> isOver) {
    if (holders.values().removeIf(isOver)) {
      held = holders.values().stream().mapToLong(Holder::permits).sum();
    }
  }

  @Override
  long available() {
    return capacity() - held;
  }

  @Override
  long nanosUntilFits(long permits) {
    return nanosUntilFreed(permits - available());
  }

  @Override
  long nanosUntilFull() {
    return holders.values().stream()
        .mapToLong(holder -> holder.endTickNanos - tickNanos())
        .max()
        .orElse(0);
  }

  /** Returns the time until so many permits have expired, at most all of them. */
  private long nanosUntilFreed(long permits) {
    if (permits <= 0) {
      return 0;
    }
    long left = permits;
    List<Holder> inOrder = new ArrayList<>(holders.values());
    inOrder.sort(Comparator.comparingLong(Holder::endTickNanos));
    for (Holder holder : inOrder) {
      left -= holder.permits;
      if (left <= 0) {
        return holder.endTickNanos - tickNanos();
      }
    }
    return 0;
  }

  @Override
  void take(long permits) {
    hold(permits, null);
  }

  @Override
  long acquire(long permits, long delayNanos, CounterKey key) {
    return hold(permits, key);
  }

  private long hold(long permits, @Nullable CounterKey key) {
    long id = IDS.incrementAndGet();
    holders.put(id, new Holder(permits, expiryTickNanos(share().limit()), key));
    held += permits;
    return id;
  }

  @Override
  void refund(long permits, long stamp, long granted) {
    Holder holder = holders.remove(stamp);
    if (holder != null) {
      held -= holder.permits;
    }
  }

  /** Has no effect. No permits are consumed, since their holders return them. */
  @Override
  void reward(long permits) {}

  /**
   * Renews for the time to live at acquisition, since the limit may have another now. Permits that
   * last longer already keep their end.
   */
  @Override
  boolean renew(Receipt.Grant grant) {
    long endTickNanos = expiryTickNanos(grant.charge().counter().limit());
    return holders.computeIfPresent(
            grant.stamp(),
            (id, holder) ->
                new Holder(holder.permits, Math.max(holder.endTickNanos, endTickNanos), holder.key))
        != null;
  }

  private long expiryTickNanos(Limit limit) {
    return tickNanos() + limit.timeToFull().toNanos();
  }
}
