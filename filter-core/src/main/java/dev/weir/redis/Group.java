package dev.weir.redis;

import dev.weir.Charge;
import dev.weir.Receipt.Grant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * Charges that one call can decide or amend, and their keys.
 *
 * @param id the slot in a cluster, otherwise always the same
 * @param parts what was granted, or what is asked for; the stamp of what is asked for is the id
 *     that it would be held by
 */
record Group(int id, List<Grant> parts, List<String> keys) {

  /** The charges by group, in an order that is the same on all nodes. */
  static Collection<Group> of(List<Grant> parts, RedisKeys keys, Topology topology) {
    if (parts.size() == 1) {
      String key = keys.key(parts.get(0).charge().counter());
      return List.of(new Group(topology.group(key), parts, List.of(key)));
    }
    SortedMap<Integer, Group> groups = new TreeMap<>();
    for (Grant part : parts) {
      String key = keys.key(part.charge().counter());
      Group group = groups.computeIfAbsent(topology.group(key), Group::empty);
      group.parts().add(part);
      group.keys().add(key);
    }
    return groups.values();
  }

  private static Group empty(int id) {
    return new Group(id, new ArrayList<>(), new ArrayList<>());
  }

  List<Charge> charges() {
    return parts.stream().map(Grant::charge).toList();
  }

  /** Its first counter, which is the only one where the terms are of one. */
  Charge first() {
    return parts.get(0).charge();
  }
}
