package dev.weir.redis;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.ReadWriteLock;
import java.util.concurrent.locks.ReentrantReadWriteLock;

/**
 * The open stores of this process that are the same node of an application in the same Redis. The
 * node leaves the list when the last of them closes.
 *
 * <p>Beats of these stores hold the shared lock, and the leave holds the exclusive one. So a leave
 * follows all earlier beats. A store that opens meanwhile beats after the leave. Redis may run a
 * leave late, after a newer beat. It then removes nothing, because the leave has the time of the
 * last beat.
 *
 * <p>Two URIs that spell one Redis differently count separately. When the last store of one
 * spelling closes, the node may leave the list while the other is open. The next beat of the other
 * adds it again, within six seconds. Until then the other nodes assume one node too few.
 * Thread-safe.
 */
final class Membership {

  private static final Map<Node, Membership> OPEN = new ConcurrentHashMap<>();

  /**
   * @param redis kind, hosts and database, without credentials
   */
  private record Node(String redis, String application, String id) {}

  private final Node node;
  private final ReadWriteLock calls = new ReentrantReadWriteLock();

  private final AtomicInteger stores = new AtomicInteger();
  private final AtomicLong lastBeat = new AtomicLong();

  private Membership(Node node) {
    this.node = node;
  }

  /** Adds a store. */
  static Membership join(RedisUri redis, String application, String id) {
    return OPEN.compute(
        new Node(redis.toString(), application, id),
        (node, known) -> {
          Membership joined = known == null ? new Membership(node) : known;
          joined.stores.incrementAndGet();
          return joined;
        });
  }

  /** Removes a store that has joined. */
  void leave() {
    stores.decrementAndGet();
  }

  /** Returns whether no store is left. */
  boolean isEmpty() {
    return stores.get() == 0;
  }

  /**
   * Removes this node from the map, unless another store has joined. The map is locked meanwhile,
   * so that no store joins.
   */
  void forgetIfEmpty() {
    OPEN.computeIfPresent(node, (same, known) -> known.isEmpty() ? null : known);
  }

  /** Records that Redis has set a beat of one of the stores to this time, in microseconds. */
  void confirmed(long micros) {
    lastBeat.accumulateAndGet(micros, Math::max);
  }

  /** Returns the time of the latest beat of the stores, in microseconds; 0 before the first. */
  long lastBeat() {
    return lastBeat.get();
  }

  /** Returns the lock that a beat holds. */
  Lock beating() {
    return calls.readLock();
  }

  /** Returns the lock that the leave holds. */
  Lock leaving() {
    return calls.writeLock();
  }
}
