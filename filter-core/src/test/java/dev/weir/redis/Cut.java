package dev.weir.redis;

/**
 * Where a store loses its connection, and what is left of it.
 *
 * @param request about a counter, counted from 1
 */
record Cut(int request, Where where, Who who) {

  /** On which side of Redis. */
  enum Where {
    BEFORE_REDIS_HAS_IT,
    BEFORE_THE_REPLY_IS_READ
  }

  /** The process, and with it all that it would have sent; or but the one connection. */
  enum Who {
    DIES,
    LIVES
  }
}
