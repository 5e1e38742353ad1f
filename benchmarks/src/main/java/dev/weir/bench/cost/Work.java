package dev.weir.bench.cost;

/** Work that is repeated while it is measured. */
@FunctionalInterface
interface Work {
  void once() throws Exception;
}
