package dev.weir.redis;

/**
 * A store that is no node: it sends no heartbeat and counts no nodes.
 *
 * @param count stays at one node
 */
record Observer(Topology topology, NodeCount count) implements Membership {

  @Override
  public boolean hasReplied() {
    return !topology.isConnecting() && topology.isHealthy();
  }

  @Override
  public void close() {
    // no other node counts it
  }

  @Override
  public void join(long millis) {
    // it has no threads
  }
}
