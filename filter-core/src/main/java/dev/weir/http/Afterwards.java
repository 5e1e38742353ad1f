package dev.weir.http;

/** An action for the end of a response. It throws nothing. */
@FunctionalInterface
interface Afterwards {

  /** Runs the action after the response has ended. */
  void ended(Ended response);

  /** Returns whether the action requires the number of bytes of the body. */
  default boolean wantsBytes() {
    return false;
  }
}
