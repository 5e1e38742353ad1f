package dev.weir.redis.internal.script;

import dev.weir.Counter;
import dev.weir.Decision;
import dev.weir.Retry;
import dev.weir.Verdict;
import java.time.Duration;
import java.util.List;

/** The parsed reply of the lease script: eight integers. */
public final class LeaseReply {

  static final int FIELDS = 8;

  /** Two cells of the grid on which leases end. */
  static final long LONGEST_MICROS = 20_000;

  private static final int CARRIED = 1;

  private LeaseReply() {}

  /**
   * Parses a reply. A node that leases no permits must wait for the length of a lease before it
   * tries again.
   */
  public static Decision.Lent of(Counter counter, List<Long> reply) {
    long permits = reply.get(0);
    Duration length = DecisionReply.duration(reply.get(7));
    Retry retry = permits > 0 ? Retry.NOW : new Retry.After(length);
    return new Decision.Lent(
        new Verdict(counter, reply.get(1), retry, DecisionReply.duration(reply.get(3))),
        permits,
        reply.get(5) == CARRIED,
        reply.get(6),
        reply.get(4),
        length);
  }
}
