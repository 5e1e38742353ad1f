package dev.weir.config;

import dev.weir.config.internal.read.Settings;
import dev.weir.http.Rule;
import dev.weir.http.Rule.NamedLimit;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * What the stores use of a configuration: its settings, and the limits that its rules charge. Rules
 * of annotations are added later. Thread-safe.
 */
final class StoreSettings {

  private final Settings settings;
  private final Set<String> leased;
  private final Set<String> limits = ConcurrentHashMap.newKeySet();

  StoreSettings(Settings settings) {
    this.settings = settings;
    this.leased = settings.limits().leased();
    settings.rules().enabled().forEach(this::add);
  }

  /** Adds the limits of a rule. */
  void add(Rule rule) {
    rule.limits().stream().map(NamedLimit::name).forEach(limits::add);
  }

  /** Returns the number of limits that rules use. */
  int limits() {
    return limits.size();
  }

  boolean isLeased(String limit) {
    return leased.contains(limit);
  }

  Settings settings() {
    return settings;
  }
}
