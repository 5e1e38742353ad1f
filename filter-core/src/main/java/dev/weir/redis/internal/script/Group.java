package dev.weir.redis.internal.script;

import dev.weir.store.AcquireRequest.Charge;
import dev.weir.store.Decision.Receipt.Grant;
import java.util.ArrayList;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.ToIntFunction;

/**
 * Charges that one call can decide or adjust, and their keys.
 *
 * @param slot of the keys; 0 without a cluster
 * @param parts grants, or requested charges; the stamp of a requested charge is the id that its
 *     permits would be held by
 */
public record Group(int slot, List<Grant> parts, List<String> keys) {

  /** Groups charges by slot, in an order that is the same on all nodes. */
  public static List<Group> of(List<Grant> parts, RedisKeys keys, ToIntFunction<String> slots) {
    if (parts.size() == 1) {
      String key = keys.key(parts.get(0).charge().counter());
      return List.of(new Group(slots.applyAsInt(key), parts, List.of(key)));
    }
    SortedMap<Integer, Group> bySlot = new TreeMap<>();
    for (Grant part : parts) {
      String key = keys.key(part.charge().counter());
      Group group = bySlot.computeIfAbsent(slots.applyAsInt(key), Group::empty);
      group.parts().add(part);
      group.keys().add(key);
    }
    return List.copyOf(bySlot.values());
  }

  private static Group empty(int slot) {
    return new Group(slot, new ArrayList<>(), new ArrayList<>());
  }

  /** Returns a group for each tag, in an order that is the same on all nodes. */
  public List<Group> ofOneTag() {
    SortedMap<String, Group> byTag = new TreeMap<>();
    for (int i = 0; i < keys.size(); i++) {
      Group group = byTag.computeIfAbsent(RedisKeys.tag(keys.get(i)), tag -> empty(slot));
      group.parts().add(parts.get(i));
      group.keys().add(keys.get(i));
    }
    return List.copyOf(byTag.values());
  }

  /** Returns a group for each key. */
  public List<Group> ofOneKey() {
    List<Group> groups = new ArrayList<>(keys.size());
    for (int i = 0; i < keys.size(); i++) {
      groups.add(new Group(slot, List.of(parts.get(i)), List.of(keys.get(i))));
    }
    return groups;
  }

  public List<Charge> charges() {
    List<Charge> charges = new ArrayList<>(parts.size());
    for (Grant part : parts) {
      charges.add(part.charge());
    }
    return charges;
  }
}
