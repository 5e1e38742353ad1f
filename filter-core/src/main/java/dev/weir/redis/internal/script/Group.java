package dev.weir.redis.internal.script;

import dev.weir.Charge;
import dev.weir.Receipt.Grant;
import java.util.ArrayList;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.ToIntFunction;

/**
 * Charges that one call can decide or adjust, and their keys.
 *
 * @param slot of the keys; 0 without a cluster
 * @param parts what was granted, or what is asked for; the stamp of what is asked for is the id
 *     that it would be held by
 */
public record Group(int slot, List<Grant> parts, List<String> keys) {

  /**
   * The charges by slot, in an order that is the same on all nodes.
   *
   * @param slots of a key
   */
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

  /** Each key on its own. */
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

  /** Its first counter, which is the only one where the mode takes one. */
  public Charge first() {
    return parts.get(0).charge();
  }
}
