package dev.weir.store;

import dev.weir.internal.Expect;

/** The number of nodes that share a limit while each of them decides in process. */
@FunctionalInterface
public interface NodeShare {

  /** Returns the number of nodes, at least 1. */
  int nodes();

  /**
   * Returns a fixed number of nodes without a shared store.
   *
   * @throws IllegalArgumentException when nodes is not positive
   */
  static NodeShare of(int nodes) {
    Expect.positive("nodes", nodes);
    return () -> nodes;
  }
}
