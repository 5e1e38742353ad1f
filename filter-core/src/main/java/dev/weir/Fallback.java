package dev.weir;

/**
 * A store that decides while another one is gone. Its clock stands while it stands by, so that a
 * store which flaps cannot be used to refill it.
 */
public interface Fallback extends LimitStore {

  /** The other store is gone: this one's clock runs from now on. */
  void takeOver();

  /** The other store decides again: this one's clock stands. */
  void standBy();
}
