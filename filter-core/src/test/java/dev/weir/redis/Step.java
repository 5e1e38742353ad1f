package dev.weir.redis;

import dev.weir.Limit;

/** One step of a trace. */
sealed interface Step {

  record Decide(long now, boolean stepsBack, Limit limit, long permits) implements Step {}

  record GiveBack(long now, boolean stepsBack, Limit limit, long permits, long stamp)
      implements Step {}

  /** Somebody else's doing; an empty state is a lost one. */
  record Overwrite(String state) implements Step {}

  /**
   * What a decision answers, and what is stored after it.
   *
   * @param ttl in milliseconds, 0 when nothing was written
   */
  record Reply(
      long fits, long remaining, long retry, long reset, long stamp, long ttl, String state) {}
}
