package dev.weir.near;

/**
 * Keys that are asked for in the same way.
 *
 * @param limit of each key
 * @param nodes how many nodes each key is asked for on
 * @param perSecond requests for one key on one of its nodes
 * @param inBursts whether there are none in every other 50 ms
 */
record Crowd(String name, int keys, String limit, int nodes, double perSecond, boolean inBursts) {}
