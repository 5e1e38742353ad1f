package dev.weir.http.internal.decide;

import java.util.OptionalInt;

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

  /**
   * The end of a response.
   *
   * @param status the status sent to the client; empty when it is unknown
   * @param bodyBytes the bytes written of its body, as far as they were counted
   */
  record Ended(OptionalInt status, long bodyBytes) {

    /** Creates the end of a rejection by this library. Its body is not charged. */
    public static Ended rejected(int status) {
      return new Ended(OptionalInt.of(status), 0);
    }
  }
}
