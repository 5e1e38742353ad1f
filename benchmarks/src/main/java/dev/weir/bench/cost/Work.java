package dev.weir.bench.cost;

/** What is done again and again while it is measured. */
@FunctionalInterface
interface Work {
  void once() throws Exception;
}
