package dev.weir.redis;

import java.util.List;

/** A generator of a trace over one counter, step by step. */
interface Walk {

  /** When a trace begins, in microseconds. */
  long START = 1_795_000_000_000_000L;

  /** Adds one step, or none. */
  void step();

  List<Step> steps();

  /** Returns the model's answers to each step; nothing where there is no exact model. */
  List<Step.Reply> expected();

  /** Bounds a time: beyond, the sums of times that a script makes would not be exact. */
  static long bounded(long now) {
    return now > 2 * START ? START : Math.max(now, START / 8);
  }
}
