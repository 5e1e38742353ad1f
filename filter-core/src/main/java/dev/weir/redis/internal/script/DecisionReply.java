package dev.weir.redis.internal.script;

import dev.weir.store.AcquireRequest.Charge;
import dev.weir.store.Counter;
import dev.weir.store.Decision;
import dev.weir.store.Decision.Receipt;
import dev.weir.store.Decision.Receipt.Grant;
import dev.weir.store.Decision.Retry;
import dev.weir.store.Decision.Verdict;
import dev.weir.store.LimitStore.Lending;
import dev.weir.store.Source;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * The parsed reply of a script to charges: five integers for each, and possibly further ones. Where
 * a counter is blocked, the last of its five is minus the rest of the block, in microseconds.
 *
 * @param fits whether all charges were made; otherwise none was
 * @param grants the data for a refund, if they were
 * @param delay the time to wait before the permits may be used
 */
public record DecisionReply(
    boolean fits, List<Verdict> verdicts, List<Grant> grants, Duration delay) {

  public static final int FIELDS = 5;
  public static final long FITS = 1;
  public static final long NEVER = -1;
  public static final long OUTSIDE = -2;
  public static final long ELSEWHERE = -3;

  static final int LEASE_FIELDS = 8;

  /** The longest lease: two cells of the grid on which leases end. */
  static final long LONGEST_LEASE_MICROS = 20_000;

  private static final int CARRIED = 1;

  /** Returns whether the server's time is outside of the calendar's bounds that were sent. */
  public static boolean isOutside(List<Long> reply) {
    return reply.get(0) == OUTSIDE;
  }

  /** Returns whether nothing was decided: a key is elsewhere, or a right is missing. */
  public static boolean isElsewhere(List<Long> reply) {
    return reply.get(0) == ELSEWHERE;
  }

  /** Returns whether a reply to decisions grants all of them. */
  public static boolean areGranted(List<Long> reply) {
    for (int from = 0; from < reply.size(); from += FIELDS) {
      if (reply.get(from) != FITS) {
        return false;
      }
    }
    return true;
  }

  /** Returns the decision of a call that had all charges of a request. */
  public Decision.Counted decision() {
    return new Decision.Counted(Source.REDIS, verdicts, new Receipt(Source.REDIS, grants), delay);
  }

  /** Parses a reply. A partial grant has one more integer: the number of permits decided. */
  public static DecisionReply of(List<Charge> charges, List<Long> reply) {
    if (reply.size() == FIELDS + 1) {
      Charge decided = new Charge(charges.get(0).counter(), reply.get(FIELDS));
      return of(List.of(decided), reply.subList(0, FIELDS));
    }
    List<Verdict> verdicts = new ArrayList<>(charges.size());
    List<Grant> grants = new ArrayList<>(charges.size());
    boolean fits = true;
    long delayMicros = 0;
    for (int i = 0; i < charges.size(); i++) {
      List<Long> fields = reply.subList(FIELDS * i, FIELDS * (i + 1));
      Charge charge = charges.get(i);
      boolean isGranted = fields.get(0) == FITS;
      Retry retry = isGranted ? Retry.NOW : retry(fields);
      long resetNanos = TimeUnit.MICROSECONDS.toNanos(fields.get(3));
      long stamp = fields.get(4);
      long blockedNanos = TimeUnit.MICROSECONDS.toNanos(Math.max(0, -stamp));
      verdicts.add(
          new Verdict(charge.counter(), fields.get(1), retry, resetNanos, true, blockedNanos));
      grants.add(new Grant(charge, stamp));
      fits &= isGranted;
      delayMicros = Math.max(delayMicros, fields.get(2));
    }
    return fits
        ? new DecisionReply(true, verdicts, grants, duration(delayMicros))
        : new DecisionReply(false, verdicts, List.of(), Duration.ZERO);
  }

  private static Retry retry(List<Long> denied) {
    return denied.get(0) == NEVER ? Retry.NEVER : new Retry.After(duration(denied.get(2)));
  }

  /**
   * Parses a reply to {@link Operation#LEASE}. A node that leases no permits must wait for the
   * length of a lease before it tries again.
   */
  public static Lending.Lease lease(Counter counter, List<Long> reply) {
    long permits = reply.get(0);
    Duration length = duration(reply.get(7));
    Retry retry = permits > 0 ? Retry.NOW : new Retry.After(length);
    return new Lending.Lease(
        new Verdict(counter, reply.get(1), retry, duration(reply.get(3))),
        permits,
        reply.get(5) == CARRIED,
        reply.get(6),
        reply.get(4),
        length);
  }

  private static Duration duration(long micros) {
    return Duration.of(micros, ChronoUnit.MICROS);
  }
}
