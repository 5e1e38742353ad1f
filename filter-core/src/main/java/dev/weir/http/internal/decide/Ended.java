package dev.weir.http.internal.decide;

import java.util.OptionalInt;

/**
 * The end of a response.
 *
 * @param status the status sent to the client; empty when it is unknown
 * @param bodyBytes the bytes written of its body, as far as they were counted
 */
public record Ended(OptionalInt status, long bodyBytes) {

  /** Creates the end of a rejection by this library. Its body is not charged. */
  public static Ended rejected(int status) {
    return new Ended(OptionalInt.of(status), 0);
  }
}
