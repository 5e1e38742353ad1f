package dev.weir.near;

import dev.weir.redis.VirtualRedis;

/**
 * What all nodes share.
 *
 * @param near whether they decide anything in process
 * @param sharesTrips whether decisions of a node go together
 */
record World(
    VirtualTime time,
    VirtualRedis redis,
    Post post,
    Ledger ledger,
    Totals totals,
    boolean near,
    boolean sharesTrips) {

  World(VirtualRedis redis, boolean near, boolean sharesTrips) {
    this(new VirtualTime(), redis, new Post(redis), new Ledger(), new Totals(), near, sharesTrips);
  }
}
