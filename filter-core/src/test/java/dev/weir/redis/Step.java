package dev.weir.redis;

import dev.weir.limit.Limit;

/** One step of a trace. */
sealed interface Step {

  /** A step that follows the numbers of a limit. */
  sealed interface ByLimit extends Step {

    long now();

    /** Returns whether it believes a clock that has moved back. */
    boolean stepsBack();

    Limit limit();
  }

  /**
   * A request for a decision.
   *
   * @param patience how long the request can wait, in microseconds
   */
  record Decide(long now, boolean stepsBack, Limit limit, long permits, long patience)
      implements ByLimit {

    /** Creates a request that cannot wait. */
    Decide(long now, boolean stepsBack, Limit limit, long permits) {
      this(now, stepsBack, limit, permits, 0);
    }

    /**
     * Returns true for one in eight, whatever comes before it: its answer's promises are tried too.
     */
    boolean isTried() {
      return (now * 0x9e37_79b9_7f4a_7c15L) >>> 61 == 0;
    }
  }

  /**
   * A refund of unspent permits of a grant.
   *
   * @param granted all of it
   */
  record Refund(long now, boolean stepsBack, Limit limit, long permits, long stamp, long granted)
      implements ByLimit {

    /** Creates a refund of a whole grant. */
    Refund(long now, boolean stepsBack, Limit limit, long permits, long stamp) {
      this(now, stepsBack, limit, permits, stamp, permits);
    }
  }

  record Reward(long now, boolean stepsBack, Limit limit, long permits) implements ByLimit {}

  /** A debit of permits spent beyond a grant. */
  record Owe(long now, boolean stepsBack, Limit limit, long permits) implements ByLimit {}

  record Renew(long now, boolean stepsBack, Limit limit, long stamp) implements ByLimit {}

  record Block(long now, boolean stepsBack, long length) implements Step {}

  record Unblock(long now, boolean stepsBack, Limit limit) implements ByLimit {}

  /** A foreign write; an empty state is one that was reset, or lost. */
  record Overwrite(String state) implements Step {}

  /** A reset, which forgets the counter, but for what is out of it. */
  record Reset(long now, boolean stepsBack) implements Step {}

  /** A step about a node's lease of the counter. */
  sealed interface Leasing extends Step {

    int node();
  }

  /**
   * A node is about to renew its lease: it counts what is left.
   *
   * @param time of the node, which is even whatever the store's clock does
   * @param keep how much of it is kept at most; the rest is returned
   */
  record Cut(long time, int node, long keep) implements Leasing {}

  /** The renewal arrives at the store, with a wish for so many more permits. */
  record Renewal(long now, boolean stepsBack, Limit limit, int node, long wanted)
      implements Leasing, ByLimit {}

  /** The node reads the answer. */
  record Arrival(int node) implements Leasing {}

  /**
   * A node spends so many permits, or as many as it has.
   *
   * @param now the time of the store's clock then
   */
  record Spend(long time, long now, int node, long permits) implements Leasing {}

  /** A node dies, or does not receive the result of its call. */
  record Death(int node) implements Leasing {}

  /**
   * The answer to a decision, and the state stored after it.
   *
   * <p>For a {@link Renewal}: what was lent, what remains, whether the kept permits are carried on,
   * the reset, and the lease's end.
   *
   * @param ttl in milliseconds, 0 when nothing was written; of a {@link Spend}, how much was spent
   */
  record Reply(
      long fits, long remaining, long retry, long reset, long stamp, long ttl, String state) {

    /** The reply to a step that changes only the stored state. */
    static final Reply NONE = new Reply(0, 0, 0, 0, 0, 0, "");

    Reply storing(long newTtl, String newState) {
      return new Reply(fits, remaining, retry, reset, stamp, newTtl, newState);
    }
  }
}
