package dev.weir.http;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;

/**
 * A rule that applies to a request, and why.
 *
 * @param template the path of the pattern that matched; empty when the rule was bound otherwise
 */
record Applied(Rule rule, Optional<String> template) {

  static Applied matched(Rule rule, RequestPattern pattern) {
    return new Applied(rule, pattern.template());
  }

  static Applied bound(Rule rule) {
    return new Applied(rule, Optional.empty());
  }

  /** The rules, in the same order. */
  static List<Rule> rules(List<Applied> all) {
    List<Rule> rules = new ArrayList<>(all.size());
    for (Applied applied : all) {
      rules.add(applied.rule);
    }
    return Collections.unmodifiableList(rules);
  }

  /** Those of one kind: nearly always all or none, and nothing is copied. */
  static List<Applied> those(Rule.Kind kind, List<Applied> all) {
    int matching = 0;
    for (Applied applied : all) {
      matching += applied.rule.kind() == kind ? 1 : 0;
    }
    if (matching == 0 || matching == all.size()) {
      return matching == 0 ? List.of() : all;
    }
    return all.stream().filter(applied -> applied.rule.kind() == kind).toList();
  }
}
