package dev.weir.redis;

import java.util.List;

/** Makes up a trace over one counter, step by step. */
interface Walk {

  /** Adds one step, or none. */
  void step();

  List<Step> steps();

  /** What the model answers to each step; nothing where there is no exact model. */
  List<Step.Reply> expected();
}
