package dev.weir.config;

/** What the stores are asked to reckon with, from one configuration to the next. */
record Needs(int nodes, int maxCounters, Demand demand) {

  /** Before any rule is known. */
  static Needs of(Settings settings) {
    return new Needs(settings.nodes(), settings.maxCounters(), new Demand());
  }

  static Needs of(Generation generation) {
    Settings settings = generation.settings();
    return new Needs(settings.nodes(), settings.maxCounters(), generation.demand());
  }
}
