package dev.weir.redis;

import dev.weir.Limit;

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
  record GiveBack(long now, boolean stepsBack, Limit limit, long permits, long stamp, long granted)
      implements Step {

    /** All of it. */
    GiveBack(long now, boolean stepsBack, Limit limit, long permits, long stamp) {
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

  /**
   * What a decision answers, and what is stored after it.
   *
   * @param ttl in milliseconds, 0 when nothing was written
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
