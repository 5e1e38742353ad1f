package dev.weir.redis;

import dev.weir.Limit;
import dev.weir.redis.internal.script.Reply;

/** One step of a trace. */
sealed interface Step {

  /**
   * A question.
   *
   * @param patience how long the request can wait, in microseconds
   */
  record Decide(long now, boolean stepsBack, Limit limit, long permits, long patience)
      implements Step {

    /** One that cannot wait. */
    Decide(long now, boolean stepsBack, Limit limit, long permits) {
      this(now, stepsBack, limit, permits, 0);
    }

    /** One in eight, whatever comes before it: the promises of its answer are tried out too. */
    boolean isTried() {
      return (now * 0x9e37_79b9_7f4a_7c15L) >>> 61 == 0;
    }
  }

  /**
   * What was not spent of a grant.
   *
   * @param granted all of it
   */
  record Refund(long now, boolean stepsBack, Limit limit, long permits, long stamp, long granted)
      implements Step {

    /** All of it. */
    Refund(long now, boolean stepsBack, Limit limit, long permits, long stamp) {
      this(now, stepsBack, limit, permits, stamp, permits);
    }
  }

  record Reward(long now, boolean stepsBack, Limit limit, long permits) implements Step {}

  /** What was spent beyond a grant. */
  record Owe(long now, boolean stepsBack, Limit limit, long permits) implements Step {}

  record Renew(long now, boolean stepsBack, Limit limit, long stamp) implements Step {}

  record Block(long now, boolean stepsBack, long length) implements Step {}

  /** Somebody else's doing; an empty state is one that was reset, or lost. */
  record Overwrite(String state) implements Step {}

  /** Forgets the counter, but for what is out of it. */
  record Reset(long now, boolean stepsBack) implements Step {}

  /** One that is about what a node holds of the counter. */
  sealed interface Leasing extends Step {

    int node();
  }

  /**
   * A node is about to renew its lease: it counts what is left.
   *
   * @param time of the node, which goes on evenly whatever the store's clock does
   * @param keep how much of it is kept at most; the rest is given back
   */
  record Cut(long time, int node, long keep) implements Leasing {}

  /** That comes to the store, with a wish for so many more permits. */
  record Renewal(long now, boolean stepsBack, Limit limit, int node, long wanted)
      implements Leasing {}

  /** The node reads what was answered. */
  record Arrival(int node) implements Leasing {}

  /**
   * A node spends so many permits, or as many as it has.
   *
   * @param now what the store's clock shows then
   */
  record Spend(long time, long now, int node, long permits) implements Leasing {}

  /** A node dies, or does not hear what has become of its call. */
  record Death(int node) implements Leasing {}

  /**
   * What a decision answers, and what is stored after it.
   *
   * <p>To a {@link Renewal} it is what was lent, what remains, whether what was kept is carried on,
   * the reset, and the lease's end.
   *
   * @param ttl in milliseconds, 0 when nothing was written; of a {@link Spend}, how much was spent
   */
  record Reply(
      long fits, long remaining, long retry, long reset, long stamp, long ttl, String state) {

    /** Of a step that is answered with nothing but what is stored. */
    static final Reply NONE = new Reply(0, 0, 0, 0, 0, 0, "");

    Reply storing(long newTtl, String newState) {
      return new Reply(fits, remaining, retry, reset, stamp, newTtl, newState);
    }
  }
}
