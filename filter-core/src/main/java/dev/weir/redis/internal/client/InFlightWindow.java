package dev.weir.redis.internal.client;

import java.time.Duration;

/**
 * The number of batches that may be in flight to one primary, and the expected time of a reply.
 *
 * <p><b>Model.</b> A round trip is the network time in both directions, the work of Redis, and the
 * time in queues: ours, that of Redis, those of the network. The shortest round trip is the
 * <i>base</i>: the network time, and the least work.
 *
 * <p>Near Redis the network takes no time, but waking a thread at either end takes as long as a
 * small batch. With {@link #FEWEST} in flight, Redis runs one while a thread wakes up for the
 * other. More batches would only be smaller, and Redis would have more work in total. If the
 * batches in flight give Redis less than {@link #WAKE_MICROS} of work, there are few callers, and
 * none of them waits. More batches may then be in flight, up to that much work.
 *
 * <p>Far from Redis the network must be kept full, or a call waits for the round trip of another.
 * So the window is one batch for each 40 µs of the base, between {@link #FEWEST} and {@link #MOST}.
 * The first 200 µs of the base do not count. They are the work of both ends, which grows when the
 * machine is busy.
 *
 * <p>Queueing never widens the window: no queue shortens a round trip, neither ours nor that of
 * other nodes. Queueing narrows the window. When a round trip exceeds the base by a quarter of the
 * deadline, the window is halved, at most once in each round trip. It then grows by one with each
 * batch that returns in time.
 *
 * <p>The work in flight is limited too, since Redis serves one command at a time. The limit is the
 * work that Redis can do in one base, and two full batches more, so that Redis is never idle. More
 * work would only wait there.
 *
 * <p>A network path that becomes longer mostly ends the connection, and the next connection
 * measures anew after an outage. Otherwise the window falls to one batch. After {@link
 * #SLOW_ENOUGH} slow round trips of single batches in a row, the shortest of them is the base.
 *
 * <p><b>Invariants.</b> One batch may always be in flight. The base never rises while the server
 * replies in time now and then.
 *
 * <p><b>Example.</b> A base of 1 ms allows 20 batches. With a deadline of 100 ms, a round trip of
 * 27 ms reduces them to 10.
 *
 * <p>One thread at a time calls {@link #replied}. All else is thread-safe.
 */
final class InFlightWindow {

  /** The most work of one batch for Redis. Other clients wait for that time. */
  static final int BATCH_MICROS = 500;

  /** The most work that may wait at Redis: the batch that it runs, and the next one. */
  private static final int QUEUE_MICROS = 2 * BATCH_MICROS;

  /** About the time to wake a thread. Redis would be idle while it waits for us. */
  private static final int WAKE_MICROS = 60;

  private static final int FEWEST = 2;
  private static final int MOST = 256;
  private static final long NANOS_EACH = 40_000;
  private static final long WORK_NANOS = 200_000;
  private static final int SLOW_ENOUGH = 100;

  /** The number of round trips after which an earlier, longer one is nearly forgotten. */
  private static final int RECENT = 8;

  private final long deadlineNanos;
  private int inFlight;
  private long costInFlight;
  private int limit = FEWEST;
  private long narrowedNanos;
  private long baseNanos = Long.MAX_VALUE;

  /** The number of slow single batches in a row. The next field is the shortest of them. */
  private int slow;

  private long leastSlowNanos = Long.MAX_VALUE;

  /**
   * The longest recent round trip, which falls towards later ones. It starts anew at 0 when a batch
   * finds the connection empty. Earlier round trips may include time in a queue that no longer
   * exists.
   */
  private long recentNanos;

  private long repliedNanos;
  private volatile boolean hasRoom = true;

  InFlightWindow(Duration deadline, long nowNanos) {
    deadlineNanos = deadline.toNanos();
    narrowedNanos = nowNanos;
    repliedNanos = nowNanos;
  }

  /** Returns the window of another connection to the same server, which starts with this base. */
  synchronized InFlightWindow next(long nowNanos) {
    InFlightWindow next = new InFlightWindow(Duration.ofNanos(deadlineNanos), nowNanos);
    next.baseNanos = baseNanos;
    return next;
  }

  /** Returns the shortest round trip; 0 before the first. */
  synchronized long baseNanos() {
    return baseNanos == Long.MAX_VALUE ? 0 : baseNanos;
  }

  /** Returns whether a batch may be sent. */
  boolean hasRoom() {
    return hasRoom;
  }

  /** Records a batch that is sent, with this cost for Redis. */
  synchronized void sent(int costMicros) {
    if (inFlight == 0) {
      recentNanos = 0;
    }
    inFlight++;
    costInFlight += costMicros;
    updateRoom();
  }

  /** Records that the replies to a batch of this cost were read, which was sent then. */
  synchronized void replied(int costMicros, long sentNanos, long nowNanos) {
    inFlight--;
    costInFlight -= costMicros;
    long roundTripNanos = Math.max(1, nowNanos - sentNanos);
    baseNanos = Math.min(baseNanos, roundTripNanos);
    recentNanos = Math.max(roundTripNanos, recentNanos + (roundTripNanos - recentNanos) / RECENT);
    repliedNanos = nowNanos;
    adapt(roundTripNanos, nowNanos);
    updateRoom();
  }

  private void updateRoom() {
    boolean isInLimit = inFlight < limit || (limit >= FEWEST && costInFlight < WAKE_MICROS);
    boolean isAffordable = costInFlight + BATCH_MICROS <= QUEUE_MICROS + baseNanos / 1_000;
    hasRoom = inFlight == 0 || (isInLimit && isAffordable);
  }

  private void adapt(long roundTripNanos, long nowNanos) {
    if (roundTripNanos - baseNanos > deadlineNanos / 4) {
      narrow(roundTripNanos, nowNanos);
      return;
    }
    slow = 0;
    leastSlowNanos = Long.MAX_VALUE;
    long target = Math.max(FEWEST, Math.min(MOST, (baseNanos - WORK_NANOS) / NANOS_EACH));
    limit = (int) Math.min(target, limit + 1L);
  }

  private void narrow(long roundTripNanos, long nowNanos) {
    if (limit == 1) {
      slow++;
      leastSlowNanos = Math.min(leastSlowNanos, roundTripNanos);
      baseNanos = slow > SLOW_ENOUGH ? leastSlowNanos : baseNanos;
    }
    if (nowNanos - narrowedNanos >= roundTripNanos) {
      narrowedNanos = nowNanos;
      limit = Math.max(1, limit / 2);
    }
  }

  /**
   * Returns the time that a reply takes at present, at most, with few exceptions. It is 0 while the
   * connection is empty, because nothing is known then. The longer ago the last reply was, the less
   * time is expected. So expectation alone keeps no call from Redis.
   */
  synchronized long expectedNanos(long nowNanos) {
    if (inFlight == 0) {
      return 0;
    }
    long halvings = Math.min(62, Math.max(0, nowNanos - repliedNanos) / deadlineNanos);
    return recentNanos >> halvings;
  }

  synchronized int limit() {
    return limit;
  }
}
