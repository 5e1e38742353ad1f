package dev.weir.config;

import dev.weir.config.internal.read.Settings;
import dev.weir.http.NamedLimit;
import dev.weir.http.Rule;
import dev.weir.http.internal.check.AnnotatedRules;
import dev.weir.http.internal.check.JointCharges;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;

/**
 * What the stores use of a configuration: its settings, and what its rules charge to each limit.
 * Rules of annotations are added later. Thread-safe.
 */
final class StoreSettings {

  private final Settings settings;
  private final AnnotatedRules annotated = new AnnotatedRules();
  private final Map<String, JointCharges> charges = new HashMap<>();
  private final ConcurrentMap<String, Long> highestCosts = new ConcurrentHashMap<>();

  StoreSettings(Settings settings) {
    this.settings = settings;
    JointCharges.dearestFirst(settings.rules()).forEach(this::charge);
  }

  /** Adds the costs of a rule to which an annotated element leads. */
  synchronized void add(Rule rule, String element) {
    if (annotated.add(rule, element)) {
      charge(rule);
    }
  }

  private void charge(Rule rule) {
    for (NamedLimit limit : rule.limits()) {
      JointCharges joint =
          charges.computeIfAbsent(limit.name(), name -> new JointCharges(annotated));
      joint.add(rule);
      highestCosts.put(limit.name(), joint.dearest());
    }
  }

  /** Returns the most that a single request charges one counter of this limit, in permits. */
  long highestCost(String limit) {
    return highestCosts.getOrDefault(limit, 1L);
  }

  /** Returns the number of limits that rules use. */
  int limits() {
    return highestCosts.size();
  }

  boolean isLeased(String limit) {
    return settings.leased().contains(limit);
  }

  Settings settings() {
    return settings;
  }
}
