package dev.weir.store;

/**
 * A store that decides what another store could not decide. Its clock runs from the start. It is
 * stopped while this store is suspended, so that a flapping store cannot be used to refill it.
 */
public interface Fallback extends LimitStore {

  /** Starts this store's clock, unless it runs: this store decides. */
  void resume();

  /** Stops this store's clock: the other store decides again. */
  void suspend();
}
