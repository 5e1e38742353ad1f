package dev.weir;

/**
 * A store that decides while another store is gone. Its clock is stopped while it is suspended, so
 * that a flapping store cannot be used to refill it.
 */
public interface Fallback extends LimitStore {

  /** Starts this store's clock: the other store is gone. */
  void resume();

  /** Stops this store's clock: the other store decides again. */
  void suspend();
}
