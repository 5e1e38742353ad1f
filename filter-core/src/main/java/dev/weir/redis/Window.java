package dev.weir.redis;

import java.time.Duration;

/**
 * How many batches may be in flight to one primary, and how long an answer takes.
 *
 * <p><b>Model.</b> The <i>base</i> round trip is that of a small batch on an empty connection: the
 * way and the least work. Whatever a round trip takes beyond it, it has spent in queues.
 *
 * <p>Near Redis the way takes no time, and more batches in flight only make each of them smaller: a
 * few are enough to keep Redis and the network busy while the next batch fills. Far from Redis the
 * way must be kept full, or a call waits for the round trip of another. So the window is one batch
 * for each 40 µs of the way, within {@link #FEWEST} and {@link #MOST}. The way is the base without
 * its first 200 µs: these are the work of both ends, which grows when the machine is busy.
 *
 * <p>It is not widened by queueing, since the base leaves that out. It is narrowed: when a round
 * trip takes a quarter of the deadline more than the base, the window is halved, at most once in
 * each round trip; it then grows by one with each batch that comes back in time.
 *
 * <p>The Redis time in flight is limited too: to that of the base round trip, since Redis serves
 * one command at a time and more would only wait there.
 *
 * <p><b>Invariants.</b> One batch may always be in flight. The base is measured at least every 10
 * seconds: when no batch has found the connection empty for so long, the window closes until one
 * does. Beyond 2 ms every batch measures it: the least of them is near enough, and to wait for an
 * empty connection would cost calls their deadline.
 *
 * <p><b>Example.</b> A base of 1 ms allows 20 batches. With a deadline of 100 ms, a round trip of
 * 27 ms makes them 10.
 *
 * <p>{@link #answered} is called by one thread at a time, all else by any.
 */
final class Window {

  /** What one batch may cost Redis: other clients wait for so long. */
  static final int BATCH_MICROS = 500;

  private static final int FEWEST = 4;
  private static final int MOST = 256;
  private static final long NANOS_EACH = 40_000;
  private static final long FAR_NANOS = 2_000_000;
  private static final long WORK_NANOS = 200_000;
  private static final long BASE_NANOS = 10_000_000_000L;

  /** What a batch needs to be taken back out of the account. */
  record Ticket(long sentNanos, int costMicros, boolean isSample) {}

  private final long deadlineNanos;
  private int inFlight;
  private long costInFlight;
  private int limit = FEWEST;
  private long narrowedNanos;

  /** The least samples of this period and of the one before. */
  private long leastNanos = Long.MAX_VALUE;

  private long leastBeforeNanos = Long.MAX_VALUE;
  private long periodNanos;
  private long sampledNanos;

  /** A moving average of round trips, and when it was last updated. */
  private long averageNanos;

  private long averagedNanos;
  private volatile boolean hasRoom = true;

  Window(Duration deadline, long nowNanos) {
    deadlineNanos = deadline.toNanos();
    periodNanos = nowNanos;
    sampledNanos = nowNanos;
    narrowedNanos = nowNanos;
    averagedNanos = nowNanos;
  }

  /** Whether a batch may be sent. */
  boolean hasRoom() {
    return hasRoom;
  }

  /** Whether the next batch is to measure the base, and to carry one call alone for that. */
  synchronized boolean needsSample(long nowNanos) {
    return inFlight == 0 && isSampleDue(nowNanos);
  }

  private boolean isSampleDue(long nowNanos) {
    return nowNanos - sampledNanos >= BASE_NANOS;
  }

  /**
   * A batch is sent.
   *
   * @param calls how many it carries
   */
  synchronized Ticket sent(int costMicros, int calls, long nowNanos) {
    boolean isSample = (inFlight == 0 && calls <= 1) || baseNanos() > FAR_NANOS;
    inFlight++;
    costInFlight += costMicros;
    hasRoom = hasRoom(nowNanos);
    return new Ticket(nowNanos, costMicros, isSample);
  }

  /** Its replies were read. */
  synchronized void answered(Ticket batch, long nowNanos) {
    inFlight--;
    costInFlight -= batch.costMicros();
    long tripNanos = Math.max(1, nowNanos - batch.sentNanos());
    if (batch.isSample()) {
      sampled(tripNanos, nowNanos);
    }
    averageNanos = averageNanos == 0 ? tripNanos : averageNanos + (tripNanos - averageNanos) / 8;
    averagedNanos = nowNanos;
    adapt(tripNanos, nowNanos);
    hasRoom = hasRoom(nowNanos);
  }

  private boolean hasRoom(long nowNanos) {
    if (inFlight == 0) {
      return true;
    }
    return !isSampleDue(nowNanos)
        && inFlight < limit
        && costInFlight < Math.max(FEWEST * BATCH_MICROS, baseNanos() / 1_000);
  }

  private void sampled(long tripNanos, long nowNanos) {
    if (nowNanos - periodNanos >= BASE_NANOS) {
      leastBeforeNanos = leastNanos;
      leastNanos = Long.MAX_VALUE;
      periodNanos = nowNanos;
    }
    sampledNanos = nowNanos;
    leastNanos = Math.min(leastNanos, tripNanos);
  }

  private long baseNanos() {
    long least = Math.min(leastNanos, leastBeforeNanos);
    return least == Long.MAX_VALUE ? averageNanos : least;
  }

  private void adapt(long tripNanos, long nowNanos) {
    long baseNanos = baseNanos();
    if (tripNanos - baseNanos > deadlineNanos / 4) {
      if (nowNanos - narrowedNanos >= tripNanos) {
        narrowedNanos = nowNanos;
        limit = Math.max(1, limit / 2);
      }
      return;
    }
    long target = Math.max(FEWEST, Math.min(MOST, (baseNanos - WORK_NANOS) / NANOS_EACH));
    limit = (int) Math.min(target, limit + 1L);
  }

  /**
   * How long an answer takes at present. With the connection empty nothing is known, and less is
   * expected the longer the last answer was ago: so expectation alone keeps no call from Redis.
   */
  synchronized long expectedNanos(long nowNanos) {
    if (inFlight == 0) {
      return 0;
    }
    long halvings = Math.min(62, Math.max(0, nowNanos - averagedNanos) / deadlineNanos);
    return averageNanos >> halvings;
  }

  synchronized int limit() {
    return limit;
  }
}
