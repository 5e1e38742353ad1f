package dev.weir.config;

import dev.weir.http.JointCharges;
import dev.weir.http.NamedLimit;
import dev.weir.http.Rule;
import java.util.Collections;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;

/** What rules ask of each limit; those of annotations come in later. Thread-safe. */
final class Demand {

  private final Set<Rule> rules = Collections.newSetFromMap(new IdentityHashMap<>());
  private final Map<String, JointCharges> charges = new HashMap<>();
  private final ConcurrentMap<String, Long> dearest = new ConcurrentHashMap<>();

  /** Reckons with this rule too. A rule is one however often it is added. */
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

  /** What the dearest single request charges one counter of this limit, in permits. */
  long dearestCost(String limit) {
    return dearest.getOrDefault(limit, 1L);
  }

  /** How many limits there are. */
  int limits() {
    return dearest.size();
  }
}
