package dev.weir.http;

import java.util.OptionalInt;

/**
 * How a response ended.
 *
 * @param status what the client was told; empty when nobody knows
 * @param bodyBytes what was written of its body, as far as anybody has counted
 */
record Ended(OptionalInt status, long bodyBytes) {

  /** A rejection of ours, whose body nobody pays for. */
  static Ended rejected(int status) {
    return new Ended(OptionalInt.of(status), 0);
  }
}
