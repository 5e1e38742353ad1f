package dev.weir.http;

import java.util.OptionalInt;

/** Something to do when a response has ended. It throws nothing. */
@FunctionalInterface
interface Afterwards {

  /**
   * The response has ended.
   *
   * @param status what the client was told; empty when nobody knows
   */
  void ended(OptionalInt status);
}
