package dev.weir.redis;

import java.util.List;

/** A step of a trace, and the counter that it is of. */
record TraceStep(int key, Step step) {

  static List<TraceStep> ofOneKey(List<? extends Step> steps) {
    return steps.stream().map(step -> new TraceStep(0, step)).toList();
  }
}
