package dev.weir.config.internal.read;

import dev.weir.http.NamedLimit;
import dev.weir.http.Rule;
import dev.weir.http.internal.check.JointCharges;
import java.util.List;
import java.util.Optional;

/** Advice about limits that several nodes divide among themselves. */
final class ShareAdvice {

  private ShareAdvice() {}

  /**
   * Returns one line for each limit that nodes exceed together when each limits by itself. This
   * happens because no node's share is smaller than the cost of the most expensive request.
   */
  static List<String> of(int nodes, List<Rule> rules) {
    return rules.stream()
        .flatMap(rule -> rule.limits().stream())
        .distinct()
        .flatMap(limit -> beyond(nodes, limit, rules).stream())
        .toList();
  }

  private static Optional<String> beyond(int nodes, NamedLimit limit, List<Rule> rules) {
    long capacity = limit.limit().capacity();
    long dearest = Math.min(capacity, JointCharges.dearest(limit.name(), rules));
    if (nodes == 1 || dearest <= capacity / nodes) {
      return Optional.empty();
    }
    return Optional.of(
        "limit '%s' grants %d at most, but each of %d nodes that limit by themselves grants %d or more, for that is the dearest cost: together they grant more than the limit"
            .formatted(limit.name(), capacity, nodes, dearest));
  }
}
