package dev.weir.redis;

/**
 * Where a store loses its connection, and what remains of the store.
 *
 * @param request about a counter, counted from 1
 */
record Cut(int request, Where where, Who who) {

  /** The side of Redis on which the connection is cut. */
  enum Where {
    BEFORE_REDIS_HAS_IT,
    BEFORE_THE_REPLY_IS_READ
  }

  /** The process dies with all that it would have sent, or only the one connection is lost. */
  enum Who {
    DIES,
    LIVES
  }
}
