package dev.weir.redis;

import java.util.List;

/** A step of a trace, and the counter that it is of. */
record Turn(int key, Step step) {

  static List<Turn> ofOneKey(List<? extends Step> steps) {
    return steps.stream().map(step -> new Turn(0, step)).toList();
  }
}
