package dev.weir;

import java.time.Duration;
import java.util.Optional;

/** How many nodes share a limit while each decides in process. */
public interface NodeShare {

  /** At least 1. */
  int nodes();

  /**
   * When the shared store is next tried, and a request larger than this node's share can succeed
   * again; empty when there is no shared store to wait for.
   */
  Optional<Duration> nextProbe();

  /**
   * A fixed number of nodes without a shared store.
   *
   * @throws IllegalArgumentException when nodes is not positive
   */
  static NodeShare of(int nodes) {
    Expect.positive("nodes", nodes);
    return new NodeShare() {
      @Override
      public int nodes() {
        return nodes;
      }

      @Override
      public Optional<Duration> nextProbe() {
        return Optional.empty();
      }
    };
  }
}
