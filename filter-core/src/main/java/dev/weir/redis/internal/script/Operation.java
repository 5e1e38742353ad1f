package dev.weir.redis.internal.script;

import static dev.weir.redis.internal.script.DecisionReply.FIELDS;
import static dev.weir.redis.internal.script.DecisionReply.LEASE_FIELDS;

import dev.weir.internal.BucketUnits;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;
import redis.clients.jedis.exceptions.JedisConnectionException;

/**
 * What a call requests of Redis. It determines the script, the form of the reply, and when the call
 * is sent.
 *
 * <p>The replies of our scripts are integers. Any other reply comes from a proxy, or from a server
 * that is no Redis. It is a failure of that primary, and must not cause an exception in
 * computations on a request's thread.
 */
public enum Operation {
  /** One decision that waits for nothing, over any number of counters. A batch carries many. */
  DECIDE(""),
  /** One decision over one counter, for a request that can wait. */
  WITHIN("within"),
  /** One decision over one counter, for as many permits as there are. */
  UP_TO("up_to"),
  /** Takes permits of one counter. If none remain, blocks it. */
  OR_BLOCK("or_block"),
  /** The state of counters, without a charge. */
  PEEK("peek"),

  /** Takes back the permits that a node has leased of one counter, and makes a new lease. */
  LEASE("lease"),
  REFUND("reconcile"),
  RECONCILE("reconcile"),
  /** Starts the time to live of held permits again. */
  RENEW("renew"),
  REWARD("reward"),
  BLOCK("block"),
  RESET("reset"),

  /** Many decisions of one slot. */
  BATCH(""),
  /** Many decisions of any slots of one primary. */
  ACROSS(""),

  HEARTBEAT(""),
  LEAVE("");

  private static final int OUTSIDE_FIELDS = 2;

  private final String word;

  /**
   * @param word the last argument of the script; none if it is empty
   */
  Operation(String word) {
    this.word = word;
  }

  String word() {
    return word;
  }

  /** Returns the name for messages. */
  public String label() {
    return name().toLowerCase(Locale.ROOT);
  }

  /** Returns the script for so many keys. */
  Script script(int keys) {
    return switch (this) {
      case DECIDE, WITHIN, UP_TO, OR_BLOCK, PEEK ->
          keys == 1 ? Script.DECIDE_ONE : Script.DECIDE_ALL;
      case LEASE, REFUND, RECONCILE, RENEW, REWARD, BLOCK, RESET ->
          keys == 1 ? Script.ADJUST_ONE : Script.ADJUST_ALL;
      case BATCH -> Script.BATCH;
      case ACROSS -> Script.ACROSS;
      case HEARTBEAT -> Script.HEARTBEAT;
      case LEAVE -> Script.LEAVE;
    };
  }

  /** Returns whether it charges its counters, so that a grant of it can be refunded. */
  public boolean isCharging() {
    return this == DECIDE || this == WITHIN || this == UP_TO;
  }

  /** Returns whether its reply decides about a request, also by a peek. */
  public boolean isDecision() {
    return isCharging() || this == OR_BLOCK || this == PEEK || this == LEASE;
  }

  // ---------------------------------------------------------------- replies

  /**
   * Returns the integers of a reply; a single integer becomes a list of one.
   *
   * @param counters the number of counters in the call
   * @throws JedisConnectionException when no script of ours makes such a reply
   */
  List<Long> read(@Nullable Object reply, int counters) {
    List<Long> integers = integers(reply);
    if (!isReply(integers, counters)) {
      throw new JedisConnectionException(
          "replied what no script of ours does (expected: " + expectation() + ")");
    }
    return integers;
  }

  private String expectation() {
    return switch (this) {
      case DECIDE, WITHIN, OR_BLOCK, PEEK, BATCH, ACROSS -> FIELDS + " integers for each counter";
      case UP_TO -> FIELDS + 1 + " integers";
      case LEASE -> LEASE_FIELDS + " integers";
      case HEARTBEAT -> "three integers, the first from 1 to 2147483647";
      case RENEW -> "0 or 1 for each grant";
      case REFUND, RECONCILE, REWARD, BLOCK, RESET, LEAVE -> "one integer, from 0 to 2147483647";
    };
  }

  private boolean isReply(List<Long> integers, int counters) {
    return switch (this) {
      case DECIDE, WITHIN, OR_BLOCK, PEEK ->
          areCounters(integers, counters, DecisionReply.NEVER, DecisionReply.FITS)
              || isOutside(integers);
      case BATCH, ACROSS ->
          areCounters(integers, counters, DecisionReply.ELSEWHERE, Long.MAX_VALUE);
      case UP_TO ->
          isOutside(integers)
              || (integers.size() == FIELDS + 1
                  && DECIDE.isReply(integers.subList(0, FIELDS), 1)
                  && integers.get(FIELDS) >= 1);
      case LEASE ->
          isOutside(integers)
              || (integers.size() == LEASE_FIELDS
                  && integers.stream().allMatch(it -> it >= 0)
                  && isBetween(
                      1, integers.get(LEASE_FIELDS - 1), DecisionReply.LONGEST_LEASE_MICROS));
      case RECONCILE -> isOutside(integers) || isCount(integers);
      case RENEW ->
          integers.size() == counters && integers.stream().allMatch(it -> isBetween(0, it, 1));
      case REFUND, REWARD, BLOCK, RESET, LEAVE -> isCount(integers);
      // the number of live nodes, the count of lost nodes, and the time of this node's beat
      case HEARTBEAT ->
          integers.size() == 3
              && isBetween(1, integers.get(0), Integer.MAX_VALUE)
              && isBetween(0, integers.get(1), BucketUnits.EXACT)
              && isBetween(0, integers.get(2), BucketUnits.EXACT);
    };
  }

  /** Returns the integers; none when the reply is anything else. */
  private static List<Long> integers(@Nullable Object reply) {
    if (reply instanceof Long alone) {
      return List.of(alone);
    }
    if (!(reply instanceof List<?> list)) {
      return List.of();
    }
    List<Long> integers = new ArrayList<>(list.size());
    for (Object item : list) {
      if (!(item instanceof Long integer)) {
        return List.of();
      }
      integers.add(integer);
    }
    return integers;
  }

  /** Returns whether they are the server's time, in place of a reply. */
  private static boolean isOutside(List<Long> integers) {
    return integers.size() == OUTSIDE_FIELDS
        && DecisionReply.isOutside(integers)
        && isTime(integers.get(1));
  }

  /** Returns whether this may be a server's time since 1970, from which calendars start. */
  private static boolean isTime(long micros) {
    return isBetween(0, micros, BucketUnits.EXACT);
  }

  private static boolean isCount(List<Long> integers) {
    return integers.size() == 1 && isBetween(0, integers.get(0), Integer.MAX_VALUE);
  }

  /**
   * Returns whether they are the states of so many counters.
   *
   * @param least the least first integer of a state
   * @param most the largest one: the most equal decisions that fit
   */
  private static boolean areCounters(List<Long> integers, int counters, long least, long most) {
    if (integers.size() != FIELDS * counters) {
      return false;
    }
    for (int from = 0; from < integers.size(); from += FIELDS) {
      long fits = integers.get(from);
      boolean isDenialWithoutEnd = fits == 0 && integers.get(from + 2) == 0;
      if (fits < least
          || fits > most
          || isDenialWithoutEnd
          || (fits == DecisionReply.OUTSIDE && !isTime(integers.get(from + 1)))) {
        return false;
      }
      for (int i = from + 1; i < from + FIELDS - 1; i++) {
        if (integers.get(i) < 0) {
          return false;
        }
      }
      long stamp = integers.get(from + FIELDS - 1);
      if (stamp < 0 && stamp < -longestBlock(fits, integers.get(from + 2))) {
        return false;
      }
    }
    return true;
  }

  /** Returns how long a counter may be blocked, in microseconds: only one that denies is. */
  private static long longestBlock(long fits, long retry) {
    if (fits == DecisionReply.NEVER) {
      return BucketUnits.EXACT;
    }
    return fits == 0 ? retry : 0;
  }

  private static boolean isBetween(long least, long integer, long most) {
    return integer >= least && integer <= most;
  }
}
