package dev.weir.redis.internal.client;

import java.time.Duration;
import java.util.Optional;

/**
 * How many batches may be in flight to one primary, and how long an answer takes.
 *
 * <p><b>Model.</b> A round trip is the way there and back, the work of Redis, and the time in
 * queues: ours, that of Redis, those of the network. The <i>base</i> is the shortest round trip:
 * the way, and the least work.
 *
 * <p>Near Redis the way takes no time, but waking a thread at either end takes as long as a small
 * batch. With {@link #FEWEST} in flight Redis does one while a thread wakes up for the other. More
 * only make each batch smaller, and Redis has more work in all. Where those give Redis less than
 * {@link #WAKE_MICROS} to do, there are few callers, and none of them waits: more batches may be in
 * flight, up to so much work.
 *
 * <p>Far from Redis the way must be kept full, or a call waits for the round trip of another. So
 * the window is one batch for each 40 µs of the way, within {@link #FEWEST} and {@link #MOST}. Its
 * first 200 µs do not count: these are the work of both ends, which grows when the machine is busy.
 *
 * <p>Queueing never widens the window: no queue shortens a round trip, ours or that of other nodes.
 * It narrows it: when a round trip takes a quarter of the deadline more than the base, the window
 * is halved, at most once in each round trip; it then grows by one with each batch that comes back
 * in time.
 *
 * <p>The work in flight is limited too, since Redis serves one command at a time. So much work as
 * it can do in one base may be travelling, and two full batches more, so that it never runs dry.
 * More would only wait there.
 *
 * <p>A way that becomes longer mostly ends the connection, and the next one measures anew after an
 * outage. Where it does not, the window falls to one batch. When {@link #SLOW_ENOUGH} round trips
 * of single batches have been slow, one after the other, the shortest of them is the base.
 *
 * <p><b>Invariants.</b> One batch may always be in flight. Of a server that answers in time now and
 * then, the base never rises.
 *
 * <p><b>Example.</b> A base of 1 ms allows 20 batches. With a deadline of 100 ms, a round trip of
 * 27 ms makes them 10.
 *
 * <p>{@link #answered} is called by one thread at a time, all else by any.
 */
final class InFlightWindow {

  /** What one batch may cost Redis: other clients wait for so long. */
  static final int BATCH_MICROS = 500;

  /** So much work may wait at Redis: one batch that it does, and one after that. */
  private static final int QUEUE_MICROS = 2 * BATCH_MICROS;

  /** About what waking a thread takes: Redis would have nothing to do while it waits for us. */
  private static final int WAKE_MICROS = 60;

  private static final int FEWEST = 2;
  private static final int MOST = 256;
  private static final long NANOS_EACH = 40_000;
  private static final long WORK_NANOS = 200_000;
  private static final int SLOW_ENOUGH = 100;

  /** Round trips by which a longer one before them is nearly forgotten. */
  private static final int RECENT = 8;

  /** What a batch needs to be taken back out of the account. */
  record Ticket(long sentNanos, int costMicros) {}

  private final long deadlineNanos;
  private int inFlight;
  private long costInFlight;
  private int limit = FEWEST;
  private long narrowedNanos;
  private long baseNanos = Long.MAX_VALUE;

  /** Single batches that were slow, one after the other, and the shortest of them. */
  private int slow;

  private long leastSlowNanos = Long.MAX_VALUE;

  /**
   * The longest round trip of late, falling towards those after it. It begins anew, as 0, where a
   * batch finds the connection empty: those before may have spent their time in a queue that is
   * gone.
   */
  private long recentNanos;

  private long answeredNanos;
  private volatile boolean hasRoom = true;

  InFlightWindow(Duration deadline, long nowNanos) {
    deadlineNanos = deadline.toNanos();
    narrowedNanos = nowNanos;
    answeredNanos = nowNanos;
  }

  /** That of another connection to the same server, which begins with this base. */
  synchronized InFlightWindow next(long nowNanos) {
    InFlightWindow next = new InFlightWindow(Duration.ofNanos(deadlineNanos), nowNanos);
    next.baseNanos = baseNanos;
    return next;
  }

  /** The shortest round trip; none before the first. */
  synchronized Optional<Duration> base() {
    return baseNanos == Long.MAX_VALUE
        ? Optional.empty()
        : Optional.of(Duration.ofNanos(baseNanos));
  }

  /** Whether a batch may be sent. */
  boolean hasRoom() {
    return hasRoom;
  }

  /** A batch is sent that costs Redis so much. */
  synchronized Ticket sent(int costMicros, long nowNanos) {
    if (inFlight == 0) {
      recentNanos = 0;
    }
    inFlight++;
    costInFlight += costMicros;
    updateRoom();
    return new Ticket(nowNanos, costMicros);
  }

  /** Its replies were read. */
  synchronized void answered(Ticket batch, long nowNanos) {
    inFlight--;
    costInFlight -= batch.costMicros();
    long tripNanos = Math.max(1, nowNanos - batch.sentNanos());
    baseNanos = Math.min(baseNanos, tripNanos);
    recentNanos = Math.max(tripNanos, recentNanos + (tripNanos - recentNanos) / RECENT);
    answeredNanos = nowNanos;
    adapt(tripNanos, nowNanos);
    updateRoom();
  }

  private void updateRoom() {
    hasRoom = inFlight == 0 || (isInLimit() && isAffordable());
  }

  private boolean isInLimit() {
    return inFlight < limit || (limit >= FEWEST && costInFlight < WAKE_MICROS);
  }

  private boolean isAffordable() {
    return costInFlight + BATCH_MICROS <= QUEUE_MICROS + baseNanos / 1_000;
  }

  private void adapt(long tripNanos, long nowNanos) {
    if (tripNanos - baseNanos > deadlineNanos / 4) {
      narrow(tripNanos, nowNanos);
      return;
    }
    slow = 0;
    leastSlowNanos = Long.MAX_VALUE;
    long target = Math.max(FEWEST, Math.min(MOST, (baseNanos - WORK_NANOS) / NANOS_EACH));
    limit = (int) Math.min(target, limit + 1L);
  }

  private void narrow(long tripNanos, long nowNanos) {
    if (limit == 1) {
      slow++;
      leastSlowNanos = Math.min(leastSlowNanos, tripNanos);
      baseNanos = slow > SLOW_ENOUGH ? leastSlowNanos : baseNanos;
    }
    if (nowNanos - narrowedNanos >= tripNanos) {
      narrowedNanos = nowNanos;
      limit = Math.max(1, limit / 2);
    }
  }

  /**
   * How long an answer takes at present, at the most but for a few. With the connection empty
   * nothing is known, and less is expected the longer the last answer was ago: so expectation alone
   * keeps no call from Redis.
   */
  synchronized long expectedNanos(long nowNanos) {
    if (inFlight == 0) {
      return 0;
    }
    long halvings = Math.min(62, Math.max(0, nowNanos - answeredNanos) / deadlineNanos);
    return recentNanos >> halvings;
  }

  synchronized int limit() {
    return limit;
  }
}
