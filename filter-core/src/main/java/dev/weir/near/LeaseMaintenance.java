package dev.weir.near;

/** Maintains leases while there are any. */
interface LeaseMaintenance extends AutoCloseable {

  /** Starts maintenance, because there is a lease. */
  void wake();

  /** Stops maintenance. */
  @Override
  void close();
}
