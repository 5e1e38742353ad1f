package dev.weir.config;

import java.util.Set;

/** What the stores are asked to reckon with, from one configuration to the next. */
record Needs(int nodes, int maxCounters, Set<String> leased, Demand demand) {

  /** Before any rule is known. */
  static Needs of(Settings settings) {
    return new Needs(settings.nodes(), settings.maxCounters(), settings.leased(), new Demand());
  }

  static Needs of(Generation generation) {
    Settings settings = generation.settings();
    return new Needs(
        settings.nodes(), settings.maxCounters(), settings.leased(), generation.demand());
  }
}
