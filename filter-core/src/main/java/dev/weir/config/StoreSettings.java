package dev.weir.config;

import dev.weir.config.internal.read.Settings;
import java.util.Set;

/** The settings that the stores use. A reload may replace them. */
record StoreSettings(int nodes, int maxCounters, Set<String> leased, CostIndex costIndex) {

  /** Returns the settings before any rule is known. */
  static StoreSettings of(Settings settings) {
    return new StoreSettings(
        settings.nodes(), settings.maxCounters(), settings.leased(), new CostIndex());
  }

  static StoreSettings of(Generation generation) {
    Settings settings = generation.settings();
    return new StoreSettings(
        settings.nodes(), settings.maxCounters(), settings.leased(), generation.costIndex());
  }
}
