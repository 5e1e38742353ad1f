package dev.weir;

import dev.weir.internal.Expect;
import java.time.Duration;
import java.util.Optional;

/** The number of nodes that share a limit while each of them decides in process. */
@FunctionalInterface
public interface NodeShare {

  /** Returns the number of nodes, at least 1. */
  int nodes();

  /**
   * Returns when the shared store is next tried. A request larger than this node's share can
   * succeed again then. Empty when there is no shared store to wait for.
   */
  default Optional<Duration> nextProbe() {
    return Optional.empty();
  }

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
