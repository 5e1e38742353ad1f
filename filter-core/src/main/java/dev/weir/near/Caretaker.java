package dev.weir.near;

/** Looks after leases while there are any. */
interface Caretaker extends AutoCloseable {

  /** There is something to look after. */
  void wake();

  /** Looks after nothing more. */
  @Override
  void close();
}
