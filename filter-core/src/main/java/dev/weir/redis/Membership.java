package dev.weir.redis;

import java.time.Duration;
import java.util.Optional;

/** Whether this store counts as a node of the application, and what it knows of the other nodes. */
sealed interface Membership permits Heartbeat, Membership.Observer {

  /** Returns whether Redis has replied, if only that it refuses a call. */
  boolean hasReplied();

  NodeCount count();

  /** Returns how far the clock of Redis is ahead of this node's; empty while that is unknown. */
  default Optional<Duration> clockSkew() {
    return Optional.empty();
  }

  /** Leaves the list of nodes, if this is one. Throws nothing. */
  default void close() {}

  default void join(long millis) throws InterruptedException {}

  /** A store that is no node. It sends no heartbeat, and its count stays at one node. */
  record Observer(Topology topology, NodeCount count) implements Membership {

    @Override
    public boolean hasReplied() {
      return !topology.isConnecting() && topology.isHealthy();
    }
  }
}
