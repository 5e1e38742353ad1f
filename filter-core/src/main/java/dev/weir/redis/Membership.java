package dev.weir.redis;

/** Whether this store counts as a node of the application, and what it knows of the other nodes. */
sealed interface Membership permits Heartbeat, Observer {

  /** Returns whether Redis has replied, if only that it refuses a call. */
  boolean hasReplied();

  NodeCount count();

  /** Leaves the list of nodes, if this is one. Throws nothing. */
  void close();

  void join(long millis) throws InterruptedException;
}
