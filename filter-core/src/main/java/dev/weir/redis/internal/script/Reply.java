package dev.weir.redis.internal.script;

import dev.weir.limit.BucketUnits;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import redis.clients.jedis.exceptions.JedisConnectionException;

/**
 * The forms of reply of our scripts: integers. Any other reply comes from a proxy, or from a server
 * that is no Redis. It is a failure of that primary, and must not cause an exception in
 * computations on a request's thread.
 */
public enum Reply {
  /** A number. */
  COUNT("one integer, from 0 to 2147483647") {
    @Override
    boolean isOurs(List<Long> integers, int counters) {
      return integers.size() == 1 && isBetween(0, integers.get(0), Integer.MAX_VALUE);
    }
  },

  /** The number of live nodes, the count of lost nodes, and the time of this node's beat. */
  NODES("three integers, the first from 1 to 2147483647") {
    @Override
    boolean isOurs(List<Long> integers, int counters) {
      return integers.size() == 3
          && isBetween(1, integers.get(0), Integer.MAX_VALUE)
          && isBetween(0, integers.get(1), BucketUnits.EXACT)
          && isBetween(0, integers.get(2), BucketUnits.EXACT);
    }
  },

  /** A number, or the two integers of the server's time. */
  SETTLED("one integer, from 0 to 2147483647") {
    @Override
    boolean isOurs(List<Long> integers, int counters) {
      return isOutside(integers) || COUNT.isOurs(integers, counters);
    }
  },

  /** The state of each counter, or the two integers of the server's time. */
  DECISION(DecisionReply.FIELDS + " integers for each counter") {
    @Override
    boolean isOurs(List<Long> integers, int counters) {
      return isOutside(integers)
          || (integers.size() == DecisionReply.FIELDS * counters && areDecisions(integers));
    }
  },

  /**
   * The state of each counter of many decisions. In its place there may be the server's time, or
   * nothing.
   */
  BATCH(DecisionReply.FIELDS + " integers for each counter") {
    @Override
    boolean isOurs(List<Long> integers, int counters) {
      return integers.size() == DecisionReply.FIELDS * counters && areOfBatch(integers);
    }
  },

  /** The state of one counter, and the number of permits decided; or the server's time. */
  PARTIAL(DecisionReply.FIELDS + 1 + " integers") {
    @Override
    boolean isOurs(List<Long> integers, int counters) {
      return isOutside(integers)
          || (integers.size() == DecisionReply.FIELDS + 1
              && areDecisions(integers.subList(0, DecisionReply.FIELDS))
              && isBetween(1, integers.get(DecisionReply.FIELDS), Long.MAX_VALUE));
    }
  },

  /** The permits leased of one counter, and its state; or the server's time. */
  LEASE(DecisionReply.LEASE_FIELDS + " integers") {
    @Override
    boolean isOurs(List<Long> integers, int counters) {
      return isOutside(integers)
          || (integers.size() == DecisionReply.LEASE_FIELDS
              && integers.stream().allMatch(it -> it >= 0)
              && isBetween(
                  1,
                  integers.get(DecisionReply.LEASE_FIELDS - 1),
                  DecisionReply.LONGEST_LEASE_MICROS));
    }
  };

  private static final int OUTSIDE_FIELDS = 2;

  private final String expectation;

  Reply(String expectation) {
    this.expectation = expectation;
  }

  /**
   * Returns the integers of a reply; a single integer becomes a list of one.
   *
   * @param counters the number of counters in the call
   * @throws JedisConnectionException when no script of ours makes such a reply
   */
  public List<Long> read(@Nullable Object reply, int counters) {
    List<Long> integers = integers(reply);
    if (!isOurs(integers, counters)) {
      throw new JedisConnectionException(
          "replied what no script of ours does (expected: " + expectation + ")");
    }
    return integers;
  }

  abstract boolean isOurs(List<Long> integers, int counters);

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

  private static boolean isOutside(List<Long> integers) {
    return integers.size() == OUTSIDE_FIELDS
        && DecisionReply.isOutside(integers)
        && isTime(integers.get(1));
  }

  /**
   * Returns whether this may be a server's time, in microseconds since 1970. Calendars start from
   * it.
   */
  private static boolean isTime(long micros) {
    return isBetween(0, micros, BucketUnits.EXACT);
  }

  private static boolean areDecisions(List<Long> integers) {
    for (int from = 0; from < integers.size(); from += DecisionReply.FIELDS) {
      if (!isBetween(DecisionReply.NEVER, integers.get(from), DecisionReply.FITS)
          || !isCounter(integers, from)) {
        return false;
      }
    }
    return true;
  }

  private static boolean areOfBatch(List<Long> integers) {
    for (int from = 0; from < integers.size(); from += DecisionReply.FIELDS) {
      long fits = integers.get(from);
      if (fits < DecisionReply.ELSEWHERE
          || !isCounter(integers, from)
          || (fits == DecisionReply.OUTSIDE && !isTime(integers.get(from + 1)))) {
        return false;
      }
    }
    return true;
  }

  /**
   * Returns whether the fields are valid. Only the first may be negative, and a denial that ends
   * with time says when.
   */
  private static boolean isCounter(List<Long> integers, int from) {
    for (int i = from + 1; i < from + DecisionReply.FIELDS; i++) {
      if (integers.get(i) < 0) {
        return false;
      }
    }
    return integers.get(from) != 0 || integers.get(from + 2) > 0;
  }

  private static boolean isBetween(long least, long integer, long most) {
    return integer >= least && integer <= most;
  }
}
