package dev.weir.redis;

import dev.weir.Charge;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * Charges that one call can decide, and their keys.
 *
 * @param id the slot in a cluster, otherwise always the same
 */
record Group(int id, List<Charge> charges, List<String> keys) {

  /** The charges by group, in an order that is the same on all nodes. */
  static Collection<Group> of(List<Charge> charges, RedisKeys keys, Topology topology) {
    if (charges.size() == 1) {
      String key = keys.key(charges.get(0).counter());
      return List.of(new Group(topology.group(key), charges, List.of(key)));
    }
    SortedMap<Integer, Group> groups = new TreeMap<>();
    for (Charge charge : charges) {
      String key = keys.key(charge.counter());
      Group group = groups.computeIfAbsent(topology.group(key), Group::empty);
      group.charges().add(charge);
      group.keys().add(key);
    }
    return groups.values();
  }

  private static Group empty(int id) {
    return new Group(id, new ArrayList<>(), new ArrayList<>());
  }
}
