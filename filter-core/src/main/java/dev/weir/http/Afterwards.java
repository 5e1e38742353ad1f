package dev.weir.http;

/** Something to do when a response has ended. It throws nothing. */
@FunctionalInterface
interface Afterwards {

  /** The response has ended. */
  void ended(Ended response);

  /** Whether it wants to know how many bytes the body had. */
  default boolean wantsBytes() {
    return false;
  }
}
