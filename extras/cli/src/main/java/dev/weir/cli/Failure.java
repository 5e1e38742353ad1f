package dev.weir.cli;

import dev.weir.internal.Expect;
import dev.weir.store.StoreUnavailableException;
import java.io.Serial;
import java.util.Optional;

/** Ends a command with a message and an {@link Exit} code. The message has no value of a client. */
final class Failure extends RuntimeException {

  @Serial private static final long serialVersionUID = 1L;

  private final int exit;

  private Failure(int exit, String message) {
    super(message);
    this.exit = exit;
  }

  int exit() {
    return exit;
  }

  /** Returns the failure of what stands on the command line, or is missing there. */
  static Failure usage(String option, String found, String expected) {
    return usage(option, found, expected, Optional.empty());
  }

  /** Returns the same with the nearest valid spelling, if one is near. */
  static Failure usage(String option, String found, String expected, Optional<String> nearest) {
    String hint = nearest.map(word -> "; did you mean '" + word + "'?").orElse("");
    return new Failure(
        Exit.USAGE, String.valueOf(Expect.failure(option, found, expected + hint).getMessage()));
  }

  /** Returns the failure of a Redis that does not answer. */
  static Failure notReached(String message) {
    return new Failure(Exit.NOT_REACHED, message);
  }

  static Failure notReached(StoreUnavailableException why) {
    return notReached(String.valueOf(why.getMessage()));
  }

  /** Returns a finding that ends the command. */
  static Failure finding(String message) {
    return new Failure(Exit.FINDING, message);
  }
}
