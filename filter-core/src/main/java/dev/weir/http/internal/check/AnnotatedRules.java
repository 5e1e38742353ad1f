package dev.weir.http.internal.check;

import dev.weir.http.Rule;
import java.util.Collections;
import java.util.HashSet;
import java.util.IdentityHashMap;
import java.util.Set;

/**
 * The annotated elements that lead to each rule. A request for an element matches all its rules,
 * whatever their patterns. They are one decision, and rules that match by pattern are another.
 * Rules are compared by identity. Not thread-safe.
 */
public final class AnnotatedRules {

  private final IdentityHashMap<Rule, Set<String>> elements = new IdentityHashMap<>();

  /** Records that this element leads to the rule. Returns whether that was unknown. */
  public boolean add(Rule rule, String element) {
    return elements.computeIfAbsent(rule, added -> new HashSet<>()).add(element);
  }

  /** Returns whether one element leads to both rules. */
  boolean areOfOneElement(Rule one, Rule other) {
    return !Collections.disjoint(of(one), of(other));
  }

  private Set<String> of(Rule rule) {
    return elements.getOrDefault(rule, Set.of());
  }
}
