package dev.weir.config;

import dev.weir.http.NamedLimit;
import dev.weir.http.Rule;
import dev.weir.http.internal.check.JointCharges;
import java.util.Collections;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;

/** The costs that rules charge to each limit. Rules of annotations are added later. Thread-safe. */
final class CostIndex {

  private final Set<Rule> rules = Collections.newSetFromMap(new IdentityHashMap<>());
  private final Map<String, JointCharges> charges = new HashMap<>();
  private final ConcurrentMap<String, Long> dearest = new ConcurrentHashMap<>();

  /** Adds the costs of this rule. Adding the same rule again has no effect. */
  synchronized void add(Rule rule) {
    if (!rules.add(rule)) {
      return;
    }
    for (NamedLimit limit : rule.limits()) {
      JointCharges joint = charges.computeIfAbsent(limit.name(), name -> new JointCharges());
      joint.add(rule);
      dearest.put(limit.name(), joint.dearest());
    }
  }

  /** Returns the most that a single request charges one counter of this limit, in permits. */
  long dearestCost(String limit) {
    return dearest.getOrDefault(limit, 1L);
  }

  /** Returns the number of limits. */
  int limits() {
    return dearest.size();
  }
}
