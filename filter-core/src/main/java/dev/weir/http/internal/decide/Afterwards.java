package dev.weir.http.internal.decide;

/** An action for the end of a response. It throws nothing. */
@FunctionalInterface
public interface Afterwards {

  /**
   * Measures the response. This runs before all actions, because these may wait for the store. It
   * waits for nothing.
   */
  default void measured(Ended response) {}

  /** Runs the action after the response has ended. */
  void ended(Ended response);

  /** Returns whether the action requires the number of bytes of the body. */
  default boolean wantsBytes() {
    return false;
  }
}
