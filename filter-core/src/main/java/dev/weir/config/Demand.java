package dev.weir.config;

import dev.weir.http.JointCharges;
import dev.weir.http.NamedLimit;
import dev.weir.http.Rule;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;

/** What rules ask of each limit; those of annotations come in later. Thread-safe. */
final class Demand {

  private final List<Rule> rules = new ArrayList<>();
  private final ConcurrentMap<String, Long> dearest = new ConcurrentHashMap<>();

  /** Reckons with this rule too. A rule is one however often it is added. */
  synchronized void add(Rule rule) {
    if (rules.contains(rule)) {
      return;
    }
    rules.add(rule);
    for (NamedLimit limit : rule.limits()) {
      dearest.merge(limit.name(), JointCharges.dearest(rule, limit, rules), Math::max);
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
